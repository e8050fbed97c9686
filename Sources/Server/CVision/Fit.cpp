// SPDX-License-Identifier: Apache-2.0

#include "Fit.hpp"

#include "Glyphs.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cvision {

namespace {

/// What a template's unit norm is counted in.
constexpr float unit = 16384;
/// Templates that are compared at once, and samples of them: those of the widest registers.
constexpr int batch = 4, wide = 32;
constexpr int glyphsHeld = (glyphCount + batch - 1) / batch * batch;
constexpr int areaMax = (glyphWidth * glyphHeight + wide - 1) / wide * wide;
/// Samples that are copied at once; a row of a window may be written so far beyond its end.
constexpr int chunk = 8;
/// Samples around a glyph that a patch has at most, on each side.
constexpr int slackMax = 4;
constexpr int patchSide = glyphHeight + 2 * slackMax, patchMax = patchSide * patchSide;

Bank made(int shrink, int slackX, int slackY) {
  Bank bank = {glyphWidth / shrink, glyphHeight / shrink, slackX, slackY, 0, {}};
  int count = bank.width * bank.height;
  bank.area = (count + wide - 1) / wide * wide;
  // Blurred as far cameras, and pictures of few pixels, blur.
  for (double sigma : {0.7, 1.5, 2.4, 3.4}) {
    std::vector<int16_t> level(size_t(bank.area * glyphsHeld), 0);
    for (int g = 0; g < glyphCount; g++) {
      cv::Mat shape(glyphHeight, glyphWidth, CV_32F), soft, small;
      for (int i = 0; i < glyphWidth * glyphHeight; i++) {
        char digit = glyphInk[g][i];
        reinterpret_cast<float *>(shape.data)[i] = float(digit <= '9' ? digit - '0' : digit - 'a' + 10);
      }
      cv::GaussianBlur(shape, soft, cv::Size(), sigma, sigma, cv::BORDER_CONSTANT);
      cv::resize(soft, small, cv::Size(bank.width, bank.height), 0, 0, cv::INTER_AREA);
      small -= cv::mean(small)[0];
      small /= cv::norm(small);
      for (int i = 0; i < count; i++)
        level[size_t(g * bank.area + i)] = int16_t(std::lround(reinterpret_cast<float *>(small.data)[i] * unit));
    }
    bank.levels.push_back(level);
  }
  return bank;
}

/// Products of a window with each template.
void plainDots(const int16_t *shapes, const int16_t *window, int area, int *dots) {
  for (int g = 0; g < glyphsHeld; g++, shapes += area) {
    int sum = 0;
    for (int i = 0; i < area; i++) sum += int(shapes[i]) * int(window[i]);
    dots[g] = sum;
  }
}

#if defined(__x86_64__)

/// The sums of the numbers of four registers each.
__attribute__((target("avx2"))) inline void fold(const __m256i (&sums)[batch], int *to) {
  const __m256i pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(sums[0], sums[1]), _mm256_hadd_epi32(sums[2], sums[3]));
  _mm_storeu_si128(
    reinterpret_cast<__m128i *>(to), _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1)));
}

__attribute__((target("avx2"))) void wideDots(const int16_t *shapes, const int16_t *window, int area, int *dots) {
  const auto at = [](const int16_t *from) __attribute__((target("avx2"))) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
  };
  for (int g = 0; g < glyphsHeld; g += batch, shapes += batch * area) {
    __m256i sums[batch];
    for (int n = 0; n < batch; n++) sums[n] = _mm256_setzero_si256();
    for (int i = 0; i < area; i += 16) {
      const __m256i ink = at(window + i);
      for (int n = 0; n < batch; n++)
        sums[n] = _mm256_add_epi32(sums[n], _mm256_madd_epi16(ink, at(shapes + n * area + i)));
    }
    fold(sums, dots + g);
  }
}

__attribute__((target("avx2,avx512f,avx512vnni"))) void widestDots(
  const int16_t *shapes, const int16_t *window, int area, int *dots) {
  for (int g = 0; g < glyphsHeld; g += batch, shapes += batch * area) {
    __m512i sums[batch];
    __m256i halves[batch];
    for (int n = 0; n < batch; n++) sums[n] = _mm512_setzero_si512();
    for (int i = 0; i < area; i += wide) {
      const __m512i ink = _mm512_loadu_si512(window + i);
      for (int n = 0; n < batch; n++)
        sums[n] = _mm512_dpwssd_epi32(sums[n], ink, _mm512_loadu_si512(shapes + n * area + i));
    }
    for (int n = 0; n < batch; n++)
      halves[n] = _mm256_add_epi32(_mm512_castsi512_si256(sums[n]), _mm512_extracti64x4_epi64(sums[n], 1));
    fold(halves, dots + g);
  }
}

const bool hasWide = __builtin_cpu_supports("avx2");
const bool hasWidest = hasWide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");

#endif

void dotAll(const int16_t *shapes, const int16_t *window, int area, int *dots) {
#if defined(__x86_64__)
  if (hasWidest) return widestDots(shapes, window, area, dots);
  if (hasWide) return wideDots(shapes, window, area, dots);
#endif
  plainDots(shapes, window, area, dots);
}

}  // namespace

const Bank &Bank::fine() {
  static const Bank bank = made(1, 3, 4);
  return bank;
}

const Bank &Bank::coarse() {
  static const Bank bank = made(2, 2, 3);
  return bank;
}

void sample(const Bank &bank, const cv::Mat &grey, const Row &row, double k, double scale, cv::Mat &patch) {
  cv::Size size(bank.width + 2 * bank.slackX, bank.height + 2 * bank.slackY);
  double x = row.x(k), pitch = row.pitch + 2 * row.bend * k, slope = row.b + 2 * row.c * x;
  double step = pitch / bank.width * scale, y = row.y(x);
  double length = std::sqrt(1 + slope * slope), ux = 1 / length * step, uy = slope / length * step;
  // Affine from patch to picture: turned by the row's slope.
  double across = (size.width - 1) / 2.0, down = (size.height - 1) / 2.0;
  const double left = x - ux * across + uy * down, top = y - uy * across - ux * down;
  // Between pixels as `cv::warpAffine` computes it, without what it prepares for pictures: a thousand small patches are
  // cut from a page.
  constexpr int fine = 1 << 10, parts = 32, toParts = 5, one = 1 << 15;
  patch.create(size, CV_8U);
  int alongX[patchSide], alongY[patchSide];
  for (int i = 0; i < size.width; i++) alongX[i] = cvRound(ux * i * fine), alongY[i] = cvRound(uy * i * fine);
  for (int j = 0; j < size.height; j++) {
    const int fromX = cvRound((-uy * j + left) * fine) + fine / parts / 2;
    const int fromY = cvRound((ux * j + top) * fine) + fine / parts / 2;
    uint8_t *to = patch.ptr<uint8_t>(j);
    for (int i = 0; i < size.width; i++) {
      const int atX = (fromX + alongX[i]) >> toParts, atY = (fromY + alongY[i]) >> toParts;
      const int px = atX >> toParts, py = atY >> toParts, shareX = atX & (parts - 1), shareY = atY & (parts - 1);
      const int nearX = std::clamp(px, 0, grey.cols - 1), nextX = std::clamp(px + 1, 0, grey.cols - 1);
      const uint8_t *upper = grey.ptr<uint8_t>(std::clamp(py, 0, grey.rows - 1));
      const uint8_t *lower = grey.ptr<uint8_t>(std::clamp(py + 1, 0, grey.rows - 1));
      const int above = upper[nearX] * (parts - shareX) + upper[nextX] * shareX;
      const int below = lower[nearX] * (parts - shareX) + lower[nextX] * shareX;
      to[i] = uint8_t(((above * (parts - shareY) + below * shareY) * parts + one / 2) >> 15);
    }
  }
}

float correlate(
  const Bank &bank, size_t level, const cv::Mat &patch, int shiftY, int reachX, int reachY, float *scores,
  int *bestY) {
  std::fill(scores, scores + glyphCount, -1.0f);
  const int16_t *shapes = bank.levels[level].data();
  int16_t ink[patchMax + chunk] = {}, window[areaMax + chunk] = {};
  int dots[glyphsHeld];
  float top = -1;
  const int count = bank.width * bank.height;
  for (int y = 0; y < patch.rows; y++) {
    const uint8_t *line = patch.ptr<uint8_t>(y);
    for (int x = 0; x < patch.cols; x++) ink[y * patch.cols + x] = int16_t(255 - line[x]);
  }
  int firstY = std::max(0, bank.slackY + shiftY - reachY);
  int lastY = std::min(2 * bank.slackY, bank.slackY + shiftY + reachY);
  for (int oy = firstY; oy <= lastY; oy++) {
    for (int ox = std::max(0, bank.slackX - reachX); ox <= std::min(2 * bank.slackX, bank.slackX + reachX); ox++) {
      for (int y = 0; y < bank.height; y++) {
        const int16_t *line = ink + (y + oy) * patch.cols + ox;
        for (int x = 0; x < bank.width; x += chunk)
          std::memcpy(window + y * bank.width + x, line + x, chunk * sizeof *line);
      }
      int sum = 0, squares = 0;
      for (int at = 0; at < count; at++) sum += window[at], squares += int(window[at]) * int(window[at]);
      float variance = float(squares) - float(sum) * float(sum) / float(count);
      // Flat paper correlates with nothing.
      float inverse = 1 / (unit * std::sqrt(std::max(variance, 40.0f * float(count))));
      dotAll(shapes, window, bank.area, dots);
      for (int g = 0; g < glyphCount; g++) scores[g] = std::max(scores[g], float(dots[g]) * inverse);
      const float best = float(*std::max_element(dots, dots + glyphCount)) * inverse;
      if (best > top) {
        top = best;
        if (bestY) *bestY = oy - bank.slackY;
      }
    }
  }
  return top;
}

}  // namespace cvision
