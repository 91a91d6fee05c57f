/* What this processor has beyond the least that the build was made for. */
#ifndef SINEWI_CPU_H
#define SINEWI_CPU_H

#include <stdbool.h>

/* Whether there are kernels for AVX2 and FMA in this build and the processor runs them. */
#if defined(__x86_64__) && !defined(SINEW_SCALAR_ONLY)
#define SINEWI_HAVE_AVX2 1
#else
#define SINEWI_HAVE_AVX2 0
#endif

static inline bool sinewi_cpu_avx2(void) {
#if SINEWI_HAVE_AVX2
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

#endif
