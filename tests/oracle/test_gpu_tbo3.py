"""The same values from the shaders, joint matrices in three texels each."""
import sys

import oracle

sys.exit(oracle.main(["own", "reports", "gauntlet", "dqs", "--path", "gpu", "--storage", "tbo3"]))
