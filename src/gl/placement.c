#include "gl_private.h"

#include "base/math.h"

void sinew_gl_placement(const double placement[16], const double eye[3], float out[16]) {
    for (int i = 0; i < 16; i++) {
        int row = i % 4;
        double moved = i >= 12 && row < 3 ? placement[i] - eye[row] : placement[i];
        out[i] = sinewi_finite(moved);
    }
}
