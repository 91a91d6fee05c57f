"""Every storage beside the scalar path: gauntlet, reports, dual quaternions."""
import sys

import oracle

sys.exit(oracle.main(["storages", "--path", "gpu"]))
