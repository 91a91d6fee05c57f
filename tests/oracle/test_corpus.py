"""Some 240 files by others (../shared/corpus), skinned on the processor."""
import sys

import oracle

sys.exit(oracle.main(["corpus"]))
