"""A sample of the same files from the shaders: every seventh, at one moment of a clip. All of
them: oracle.py corpus --path gpu."""
import sys

import oracle

sys.exit(oracle.main(["corpus", "--path", "gpu", "--sample", "7"]))
