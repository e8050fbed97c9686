// SPDX-License-Identifier: Apache-2.0

#include "Matrix.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cvision {

namespace {

constexpr int block = 16;
/// No state of a memory is further from zero (as in Tesseract's networks, which are trained with that limit).
constexpr float stateMax = 100;

/// Sums of products of one block with all lanes.
using Sums = int32_t[lanes][block];

void plainSums(const int16_t *weights, int pairs, const int16_t *const in[lanes], Sums &sums) {
  for (auto &lane : sums) std::fill(lane, lane + block, 0);
  for (int pair = 0; pair < pairs; pair++, weights += 2 * block)
    for (int lane = 0; lane < lanes; lane++) {
      const int first = in[lane][2 * pair], second = in[lane][2 * pair + 1];
      for (int row = 0; row < block; row++) sums[lane][row] += weights[2 * row] * first + weights[2 * row + 1] * second;
    }
}

/// Lambert's continued fraction, exact to 10⁻⁴; beyond ±4.97 it would pass ±1.
inline __attribute__((always_inline)) float tangent(float x) {
  x = x < -4.97F ? -4.97F : x > 4.97F ? 4.97F : x;
  const float s = x * x;
  return x * (135135.0F + s * (17325.0F + s * (378.0F + s)))
    / (135135.0F + s * (62370.0F + s * (3150.0F + s * 28.0F)));
}

inline __attribute__((always_inline)) float gate(float x) { return 0.5F + 0.5F * tangent(0.5F * x); }

inline __attribute__((always_inline)) int16_t activation(float x) {
  return int16_t(x * activationOne + (x < 0 ? -0.5F : 0.5F));
}

inline __attribute__((always_inline)) void rememberBody(const float *gates, int count, float *state, int16_t *out) {
  const float *input = gates, *enter = gates + count, *forget = gates + 2 * count, *leave = gates + 3 * count;
  for (int i = 0; i < count; i++) {
    float held = gate(forget[i]) * state[i] + tangent(input[i]) * gate(enter[i]);
    held = held < -stateMax ? -stateMax : held > stateMax ? stateMax : held;
    state[i] = held;
    out[i] = activation(tangent(held) * gate(leave[i]));
  }
}

inline __attribute__((always_inline)) void squashBody(const float *in, int count, int16_t *out) {
  for (int i = 0; i < count; i++) out[i] = activation(tangent(in[i]));
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) void wideSums(
  const int16_t *weights, int pairs, const int16_t *const in[lanes], Sums &sums) {
  __m256i low[lanes], high[lanes];
  for (int lane = 0; lane < lanes; lane++) low[lane] = high[lane] = _mm256_setzero_si256();
  for (int pair = 0; pair < pairs; pair++, weights += 2 * block) {
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(weights));
    const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(weights + block));
    for (int lane = 0; lane < lanes; lane++) {
      int32_t both;
      __builtin_memcpy(&both, in[lane] + 2 * pair, sizeof both);
      const __m256i spread = _mm256_set1_epi32(both);
      low[lane] = _mm256_add_epi32(low[lane], _mm256_madd_epi16(first, spread));
      high[lane] = _mm256_add_epi32(high[lane], _mm256_madd_epi16(second, spread));
    }
  }
  for (int lane = 0; lane < lanes; lane++) {
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(sums[lane]), low[lane]);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(sums[lane] + block / 2), high[lane]);
  }
}

__attribute__((target("avx512f,avx512vnni"))) void widestSums(
  const int16_t *weights, int pairs, const int16_t *const in[lanes], Sums &sums) {
  // Two sums a lane, so that one product does not wait for the last.
  __m512i even[lanes], odd[lanes];
  for (int lane = 0; lane < lanes; lane++) even[lane] = odd[lane] = _mm512_setzero_si512();
  const auto at = [&](int lane, int pair) __attribute__((target("avx512f,avx512vnni"))) {
    int32_t both;
    __builtin_memcpy(&both, in[lane] + 2 * pair, sizeof both);
    return _mm512_set1_epi32(both);
  };
  int pair = 0;
  for (; pair + 1 < pairs; pair += 2, weights += 4 * block) {
    const __m512i first = _mm512_loadu_si512(weights), second = _mm512_loadu_si512(weights + 2 * block);
    for (int lane = 0; lane < lanes; lane++) {
      even[lane] = _mm512_dpwssd_epi32(even[lane], first, at(lane, pair));
      odd[lane] = _mm512_dpwssd_epi32(odd[lane], second, at(lane, pair + 1));
    }
  }
  if (pair < pairs) {
    const __m512i last = _mm512_loadu_si512(weights);
    for (int lane = 0; lane < lanes; lane++) even[lane] = _mm512_dpwssd_epi32(even[lane], last, at(lane, pair));
  }
  for (int lane = 0; lane < lanes; lane++)
    _mm512_storeu_si512(sums[lane], _mm512_add_epi32(even[lane], odd[lane]));
}

__attribute__((target("avx2,fma"))) void wideRemember(const float *gates, int count, float *state, int16_t *out) {
  rememberBody(gates, count, state, out);
}

__attribute__((target("avx2,fma"))) void wideSquash(const float *in, int count, int16_t *out) {
  squashBody(in, count, out);
}

const bool hasWide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
const bool hasWidest = hasWide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");

#endif

}  // namespace

Matrix::Matrix(int rows, int inputs, const std::vector<int16_t> &weights, const std::vector<float> &scales)
    : rows(rows), inputs(inputs) {
  const int blocks = (rows + block - 1) / block, pairs = inputsHeld() / 2;
  packed.assign(size_t(blocks) * size_t(pairs) * 2 * block, 0);
  scale.assign(size_t(blocks) * block, 0);
  bias.assign(scale.size(), 0);
  for (int row = 0; row < rows; row++) {
    const int16_t *from = weights.data() + size_t(row) * size_t(inputs + 1);
    int16_t *to = packed.data() + size_t(row / block) * size_t(pairs) * 2 * block + 2 * (row % block);
    for (int i = 0; i < inputs; i++) to[size_t(i / 2) * 2 * block + size_t(i % 2)] = from[i];
    scale[size_t(row)] = scales[size_t(row)] / activationOne;
    bias[size_t(row)] = scales[size_t(row)] * float(from[inputs]);
  }
}

void Matrix::times(const int16_t *const in[lanes], float *const out[lanes]) const {
  const int pairs = inputsHeld() / 2;
  const int16_t *weights = packed.data();
  Sums sums;
  for (int from = 0; from < rowsHeld(); from += block, weights += size_t(pairs) * 2 * block) {
#if defined(__x86_64__)
    if (hasWidest) widestSums(weights, pairs, in, sums);
    else if (hasWide) wideSums(weights, pairs, in, sums);
    else
#endif
      plainSums(weights, pairs, in, sums);
    for (int lane = 0; lane < lanes; lane++)
      for (int row = 0; row < block; row++)
        out[lane][from + row] = float(sums[lane][row]) * scale[size_t(from + row)] + bias[size_t(from + row)];
  }
}

void remember(const float *gates, int count, float *state, int16_t *out) {
#if defined(__x86_64__)
  if (hasWide) return wideRemember(gates, count, state, out);
#endif
  rememberBody(gates, count, state, out);
}

void squash(const float *in, int count, int16_t *out) {
#if defined(__x86_64__)
  if (hasWide) return wideSquash(in, count, out);
#endif
  squashBody(in, count, out);
}

}  // namespace cvision
