"""A few models on a second driver, which has the least limits, on a machine of GL 3.3, and on
OpenGL ES."""
import sys

import oracle

FEW = ["control", "skin_half_half", "skin_12_influences", "joint_negative_scale",
       "joint_tiny_scale", "joint_zero_scale_axis", "joints_300", "morph_20_targets",
       "weights_zero_sum", "quant_position_i16n", "unskinned_nonuniform", "triangle_strip"]

FEW_ON_ALL = ["skin_half_half", "skin_12_influences", "morph_then_skin", "dqs turn_four",
              "dqs twist_180", "unskinned_nonuniform"]


def main():
    done = []
    for driver in oracle.ENVIRONMENTS:
        words = ["--path", "gpu", "--environment", driver]
        done.append(oracle.main(["own", *words]))
        done.append(oracle.main(["gauntlet", *words, "--only", *FEW]))
        done.append(oracle.main(["storages", *words, "--only", *FEW_ON_ALL]))
    ran = [outcome for outcome in done if outcome != oracle.SKIPPED]
    return max(ran, default=oracle.SKIPPED)


sys.exit(main())
