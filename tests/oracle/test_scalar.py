"""The gauntlet, dual quaternions and the report cases of ../shared, skinned on the processor."""
import sys

import oracle

sys.exit(oracle.main(["gauntlet", "dqs", "reports"]))
