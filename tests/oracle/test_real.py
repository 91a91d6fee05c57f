"""Four characters by others, each clip at its start, middle and end, on the processor."""
import sys

import oracle

sys.exit(oracle.main(["real"]))
