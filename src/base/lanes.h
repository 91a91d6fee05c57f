/* Vectors of floats, so that a kernel is written once and compiled for each width. By simde,
 * which gives the same text to x86 and Arm.
 *
 * A kernel is a header without guards, included by one C file a width: x_simd.c, compiled as
 * everything is (4 lanes: SSE2, NEON), and x_avx2.c, compiled for AVX2 and FMA (8 lanes). Its
 * names are macros or static. Masks are lanes, too: all bits set or none.
 *
 * lanes_fma rounds once where the processor has it, twice elsewhere: two widths differ in
 * the last bits, one width never differs from itself. */
#ifndef SINEWI_LANES_H
#define SINEWI_LANES_H

#include <stdint.h>

#ifdef __AVX2__
#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

#define LANES 8
typedef simde__m256 lanes;
typedef simde__m256i lanes_bits;

#define LANES_OP(name) simde_mm256_##name
#define lanes_set1(x) simde_mm256_set1_ps(x)
#define lanes_cast(bits) simde_mm256_castsi256_ps(bits)
#define lanes_bits_of(x) simde_mm256_castps_si256(x)
#define lanes_bits_set1(x) simde_mm256_set1_epi32((int)(x))
#define lanes_bits_load(at) simde_mm256_loadu_si256((const simde__m256i *)(const void *)(at))
#define lanes_bits_store(at, x) simde_mm256_storeu_si256((simde__m256i *)(void *)(at), x)
#define lanes_bits_and(a, b) simde_mm256_and_si256(a, b)
#define lanes_less(a, b) simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ)
#define lanes_fma(a, b, c) simde_mm256_fmadd_ps(a, b, c)           /* a * b + c */
#define lanes_fms(a, b, c) simde_mm256_fmsub_ps(a, b, c)           /* a * b - c */
#define lanes_fnma(a, b, c) simde_mm256_fnmadd_ps(a, b, c)         /* c - a * b */
#define lanes_select(mask, a, b) simde_mm256_blendv_ps(b, a, mask) /* mask ? a : b */
#define lanes_any(mask) simde_mm256_movemask_ps(mask)
#else
#include <simde/x86/sse2.h>

#define LANES 4
typedef simde__m128 lanes;
typedef simde__m128i lanes_bits;

#define LANES_OP(name) simde_mm_##name
#define lanes_set1(x) simde_mm_set1_ps(x)
#define lanes_cast(bits) simde_mm_castsi128_ps(bits)
#define lanes_bits_of(x) simde_mm_castps_si128(x)
#define lanes_bits_set1(x) simde_mm_set1_epi32((int)(x))
#define lanes_bits_load(at) simde_mm_loadu_si128((const simde__m128i *)(const void *)(at))
#define lanes_bits_store(at, x) simde_mm_storeu_si128((simde__m128i *)(void *)(at), x)
#define lanes_bits_and(a, b) simde_mm_and_si128(a, b)
#define lanes_less(a, b) simde_mm_cmplt_ps(a, b)
#define lanes_fma(a, b, c) simde_mm_add_ps(simde_mm_mul_ps(a, b), c)
#define lanes_fms(a, b, c) simde_mm_sub_ps(simde_mm_mul_ps(a, b), c)
#define lanes_fnma(a, b, c) simde_mm_sub_ps(c, simde_mm_mul_ps(a, b))
#define lanes_select(mask, a, b) \
    simde_mm_or_ps(simde_mm_and_ps(mask, a), simde_mm_andnot_ps(mask, b))
#define lanes_any(mask) simde_mm_movemask_ps(mask)
#endif

#define lanes_zero() LANES_OP(setzero_ps)()
#define lanes_load(at) LANES_OP(loadu_ps)(at)
#define lanes_store(at, x) LANES_OP(storeu_ps)(at, x)
#define lanes_add(a, b) LANES_OP(add_ps)(a, b)
#define lanes_sub(a, b) LANES_OP(sub_ps)(a, b)
#define lanes_mul(a, b) LANES_OP(mul_ps)(a, b)
#define lanes_div(a, b) LANES_OP(div_ps)(a, b)
#define lanes_sqrt(a) LANES_OP(sqrt_ps)(a)
#define lanes_min(a, b) LANES_OP(min_ps)(a, b)
#define lanes_max(a, b) LANES_OP(max_ps)(a, b)
#define lanes_and(a, b) LANES_OP(and_ps)(a, b)
#define lanes_or(a, b) LANES_OP(or_ps)(a, b)
#define lanes_xor(a, b) LANES_OP(xor_ps)(a, b)
#define lanes_abs(a) LANES_OP(andnot_ps)(lanes_set1(-0.0f), a)
#define lanes_bits_add(a, b) LANES_OP(add_epi32)(a, b)
#define lanes_bits_sub(a, b) LANES_OP(sub_epi32)(a, b)
#define lanes_bits_shift_left(a, n) LANES_OP(slli_epi32)(a, n)
#define lanes_bits_shift_right(a, n) LANES_OP(srli_epi32)(a, n) /* zeros come in */
#define lanes_to_int(a) LANES_OP(cvttps_epi32)(a)
#define lanes_from_int(bits) LANES_OP(cvtepi32_ps)(bits)

#endif
