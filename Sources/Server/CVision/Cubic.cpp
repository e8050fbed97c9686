// SPDX-License-Identifier: Apache-2.0

#include "Cubic.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cvision {

namespace {

std::vector<int16_t> made() {
  float curve[cubicParts][4];
  for (int i = 0; i < cubicParts; i++) {
    const float a = -0.75F, x = float(i) * (1.0F / cubicParts);
    float *c = curve[i];
    c[0] = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a;
    c[1] = ((a + 2) * x - (a + 3)) * x * x + 1;
    c[2] = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1;
    c[3] = 1.F - c[0] - c[1] - c[2];
  }
  std::vector<int16_t> table(cubicParts * cubicParts * 16);
  for (int place = 0; place < cubicParts * cubicParts; place++) {
    int16_t *weights = table.data() + place * 16;
    int sum = 0;
    for (int i = 0; i < 16; i++) {
      const float weight = curve[place / cubicParts][i / 4] * curve[place % cubicParts][i % 4];
      sum += weights[i] = cv::saturate_cast<int16_t>(weight * cubicOne);
    }
    // What rounding left goes to the largest, or comes from the least, of the four behind the middle.
    int least = 10, most = 10;
    for (int i : {10, 11, 14, 15}) {
      if (weights[i] < weights[least]) least = i;
      else if (weights[i] > weights[most]) most = i;
    }
    if (sum != cubicOne) weights[sum < cubicOne ? most : least] -= int16_t(sum - cubicOne);
  }
  return table;
}

/// Where a pixel comes from: the one at its upper left, and the weights around it.
struct Origin {
  int x, y;
  const int16_t *weights;

  /// - Parameters: in parts of a pixel.
  Origin(int right, int below) {
    x = cv::saturate_cast<int16_t>(right >> 5) - 1, y = cv::saturate_cast<int16_t>(below >> 5) - 1;
    weights = cubicWeights() + ((below & (cubicParts - 1)) * cubicParts + (right & (cubicParts - 1))) * 16;
  }

  Origin(float across, float down) : Origin(cvRound(across * cubicParts), cvRound(down * cubicParts)) {}

  bool isWithin(const cv::Mat &grey) const { return x >= 0 && y >= 0 && x + 4 <= grey.cols && y + 4 <= grey.rows; }
};

uint8_t rounded(int sum) { return cv::saturate_cast<uint8_t>((sum + cubicOne / 2) >> 15); }

uint8_t atEdge(const cv::Mat &grey, const Origin &from) {
  int sum = 0;
  for (int i = 0; i < 16; i++) {
    const int x = std::clamp(from.x + i % 4, 0, grey.cols - 1), y = std::clamp(from.y + i / 4, 0, grey.rows - 1);
    sum += grey.ptr<uint8_t>(y)[x] * from.weights[i];
  }
  return rounded(sum);
}

#if defined(__x86_64__)

/// Pixels that are computed at once.
constexpr int batch = 4;

/// Products of the sixteen pixels around a place with their weights, added up by twos.
__attribute__((target("avx2"))) inline __m256i within(const cv::Mat &grey, const Origin &from) {
  int lines[4];
  for (int i = 0; i < 4; i++) std::memcpy(&lines[i], grey.ptr<uint8_t>(from.y + i) + from.x, sizeof lines[i]);
  const __m256i pixels = _mm256_cvtepu8_epi16(_mm_setr_epi32(lines[0], lines[1], lines[2], lines[3]));
  return _mm256_madd_epi16(pixels, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from.weights)));
}

__attribute__((target("avx2"))) void widePixels(
  const cv::Mat &grey, const float *x, const float *y, int count, uint8_t *to) {
  int i = 0;
  for (; i + batch <= count; i += batch) {
    const __m128 parts = _mm_set1_ps(cubicParts);
    int right[batch], below[batch];
    _mm_storeu_si128(reinterpret_cast<__m128i *>(right), _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(x + i), parts)));
    _mm_storeu_si128(reinterpret_cast<__m128i *>(below), _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(y + i), parts)));
    const Origin from[batch] = {
      {right[0], below[0]}, {right[1], below[1]}, {right[2], below[2]}, {right[3], below[3]}};
    if (!(from[0].isWithin(grey) && from[1].isWithin(grey) && from[2].isWithin(grey) && from[3].isWithin(grey))) {
      for (int n = 0; n < batch; n++) to[i + n] = atEdge(grey, from[n]);
      continue;
    }
    const __m256i sums = _mm256_hadd_epi32(
      _mm256_hadd_epi32(within(grey, from[0]), within(grey, from[1])),
      _mm256_hadd_epi32(within(grey, from[2]), within(grey, from[3])));
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(cubicOne / 2)), 15);
    const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(_mm_packs_epi32(sum, sum), sum));
    std::memcpy(to + i, &bytes, sizeof bytes);
  }
  for (; i < count; i++) to[i] = atEdge(grey, Origin(x[i], y[i]));
}

const bool hasWide = __builtin_cpu_supports("avx2");

#endif

}  // namespace

const int16_t *cubicWeights() {
  static const std::vector<int16_t> weights = made();
  return weights.data();
}

void cubicPixels(const cv::Mat &grey, const float *x, const float *y, int count, uint8_t *to) {
#if defined(__x86_64__)
  if (hasWide) return widePixels(grey, x, y, count, to);
#endif
  for (int i = 0; i < count; i++) to[i] = atEdge(grey, Origin(x[i], y[i]));
}

}  // namespace cvision
