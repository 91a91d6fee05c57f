"""The same values from the shaders, joint matrices in four texels each."""
import sys

import oracle

sys.exit(oracle.main(["own", "reports", "gauntlet", "--path", "gpu", "--storage", "tbo4"]))
