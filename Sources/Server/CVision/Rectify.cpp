// SPDX-License-Identifier: Apache-2.0

// The inside of a quad, straightened: what `cv::warpPerspective` with cubic interpolation makes of it, bit by bit, in a
// quarter of its time where registers are wide. A page of 1,600 pixels took 70 ms of it.
#include "Cubic.hpp"
#include "Guard.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace cvision;

namespace {

#if defined(__x86_64__)

constexpr int parts = cubicParts, weightOne = cubicOne;
/// Places of one row that are computed from one start, as OpenCV does, so that they are rounded alike.
constexpr int span = 64, rowsMin = 16;
/// Bytes that are read of a row of four pixels.
constexpr int loaded = 16;

/// Where a pixel comes from: the one at its upper left, and the weights around it.
struct Origin {
  int x, y, place;
};

/// The origins of `count` pixels of a row, beginning where `start` are numerators and denominator.
__attribute__((target("avx2"))) void trace(const double *m, const double *start, int count, Origin *to) {
  const __m256d one = _mm256_set1_pd(parts);
  for (int from = 0; from < count; from += 4) {
    const __m256d x = _mm256_add_pd(_mm256_set1_pd(from), _mm256_set_pd(3, 2, 1, 0));
    const auto along = [&](int n) __attribute__((target("avx2"))) {
      return _mm256_add_pd(_mm256_mul_pd(_mm256_set1_pd(m[n * 3]), x), _mm256_set1_pd(start[n]));
    };
    const __m256d w = along(2);
    const __m256d scale = _mm256_and_pd(_mm256_cmp_pd(w, _mm256_setzero_pd(), _CMP_NEQ_OQ), _mm256_div_pd(one, w));
    alignas(16) int across[4], down[4];
    _mm_store_si128(reinterpret_cast<__m128i *>(across), _mm256_cvtpd_epi32(_mm256_mul_pd(scale, along(0))));
    _mm_store_si128(reinterpret_cast<__m128i *>(down), _mm256_cvtpd_epi32(_mm256_mul_pd(scale, along(1))));
    for (int i = 0; i < std::min(4, count - from); i++)
      to[from + i] = {
        (across[i] >> 5) - 1, (down[i] >> 5) - 1, (down[i] & (parts - 1)) * parts + (across[i] & (parts - 1))};
  }
}

/// Sums of a pixel's colours, one beside another and in two halves, of which the fourth counts for nothing. All that is
/// read lies within the picture.
__attribute__((target("avx2"))) inline __m256i within(const cv::Mat &bgr, const Origin &from, const int16_t *weights) {
  // Of each row the first and the second pixel, colour by colour, and in the other half the third and the fourth.
  const __m256i order = _mm256_setr_epi8(
    0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1,  //
    6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1);
  __m256i sum = _mm256_setzero_si256();
  const uint8_t *line = bgr.ptr<uint8_t>(from.y) + from.x * 3;
  for (int row = 0; row < 4; row++, line += bgr.step, weights += 4) {
    int32_t first, second;
    std::memcpy(&first, weights, sizeof first);
    std::memcpy(&second, weights + 2, sizeof second);
    const __m256i weight = _mm256_blend_epi32(_mm256_set1_epi32(first), _mm256_set1_epi32(second), 0xf0);
    const __m256i pixels = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(line)));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_shuffle_epi8(pixels, order), weight));
  }
  return sum;
}

/// The bytes of two pixels, four each.
__attribute__((target("avx2"))) inline int64_t rounded(__m256i left, __m256i right) {
  __m256i both = _mm256_add_epi32(
    _mm256_permute2x128_si256(left, right, 0x20), _mm256_permute2x128_si256(left, right, 0x31));
  both = _mm256_srai_epi32(_mm256_add_epi32(both, _mm256_set1_epi32(weightOne / 2)), 15);
  const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
  return _mm_cvtsi128_si64(_mm_packus_epi16(words, words));
}

/// The same where pixels beyond the edge are wanted: they are as those on it.
int atEdge(const cv::Mat &bgr, const Origin &from, const int16_t *weights) {
  int sums[3] = {};
  for (int i = 0; i < 16; i++) {
    const int x = std::clamp(from.x + i % 4, 0, bgr.cols - 1), y = std::clamp(from.y + i / 4, 0, bgr.rows - 1);
    const uint8_t *pixel = bgr.ptr<uint8_t>(y) + x * 3;
    for (int colour = 0; colour < 3; colour++) sums[colour] += pixel[colour] * weights[i];
  }
  int bytes = 0;
  for (int colour = 0; colour < 3; colour++)
    bytes |= std::clamp((sums[colour] + weightOne / 2) >> 15, 0, 255) << (8 * colour);
  return bytes;
}

__attribute__((target("avx2"))) void wideWarp(const cv::Mat &bgr, const cv::Mat &matrix, cv::Mat &flat) {
  const int16_t *weights = cubicWeights();
  const double *m = matrix.ptr<double>();
  Origin origins[span];
  for (int y = 0; y < flat.rows; y++) {
    uint8_t *to = flat.ptr<uint8_t>(y);
    for (int x = 0; x < flat.cols; x += span) {
      const int count = std::min(span, flat.cols - x);
      double start[3];
      for (int n = 0; n < 3; n++) start[n] = m[n * 3] * x + m[n * 3 + 1] * y + m[n * 3 + 2];
      trace(m, start, count, origins);
      const auto isWithin = [&](const Origin &from) {
        return from.x >= 0 && from.x * 3 + loaded <= bgr.cols * 3 && from.y >= 0 && from.y + 4 <= bgr.rows;
      };
      for (int i = 0; i < count;) {
        if (i + 1 < count && isWithin(origins[i]) && isWithin(origins[i + 1])) {
          const int64_t bytes = rounded(
            within(bgr, origins[i], weights + origins[i].place * 16),
            within(bgr, origins[i + 1], weights + origins[i + 1].place * 16));
          std::memcpy(to, &bytes, 3);
          const int64_t second = bytes >> 32;
          std::memcpy(to + 3, &second, 3);
          i += 2, to += 6;
        } else {
          const int bytes = atEdge(bgr, origins[i], weights + origins[i].place * 16);
          std::memcpy(to, &bytes, 3);
          i++, to += 3;
        }
      }
    }
  }
}

const bool hasWide = __builtin_cpu_supports("avx2");

#endif

void warp(const cv::Mat &bgr, const cv::Mat &matrix, cv::Mat &flat) {
#if defined(__x86_64__)
  if (hasWide && flat.cols >= span && flat.rows >= rowsMin) return wideWarp(bgr, matrix.inv(), flat);
#endif
  cv::warpPerspective(bgr, flat, matrix, flat.size(), cv::INTER_CUBIC, cv::BORDER_REPLICATE);
}

}  // namespace

cvision_status cvision_rectified(
  const cvision_frame *source, cvision_quad quad, int width, int height, cvision_frame **out) {
  return guarded([&] {
    if (width < 8 || height < 8 || width > 8000 || height > 8000) return refuse(CVISION_BAD_INPUT, "size");
    cv::Point2f from[4], to[4] = {{0, 0}, {float(width - 1), 0}, {float(width - 1), float(height - 1)},
                                  {0, float(height - 1)}};
    for (int i = 0; i < 4; i++) from[i] = cv::Point2f(quad.x[i], quad.y[i]);
    cv::Mat flat(height, width, CV_8UC3);
    warp(source->bgr, cv::getPerspectiveTransform(from, to), flat);
    *out = frame(flat);
    return CVISION_OK;
  });
}
