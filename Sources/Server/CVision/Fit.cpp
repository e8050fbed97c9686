#include "Fit.hpp"

#include "Glyphs.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace cvision {

namespace {

/// What a template's unit norm is counted in.
constexpr float unit = 16384;
constexpr int areaMax = glyphWidth * glyphHeight;

Bank made(int shrink, int slackX, int slackY) {
  Bank bank = {glyphWidth / shrink, glyphHeight / shrink, slackX, slackY, 0, {}};
  int count = bank.width * bank.height;
  bank.area = (count + 7) / 8 * 8;
  // Blurred as far cameras, and pictures of few pixels, blur.
  for (double sigma : {0.7, 1.5, 2.4, 3.4}) {
    std::vector<int16_t> level(size_t(bank.area * glyphCount), 0);
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

int dot(const int16_t *a, const int16_t *b, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += int(a[i]) * int(b[i]);
  return sum;
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
  double matrix[6] = {ux, -uy, x - ux * across + uy * down, uy, ux, y - uy * across - ux * down};
  cv::warpAffine(
    grey, patch, cv::Mat(2, 3, CV_64F, matrix), size, cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
}

float correlate(
  const Bank &bank, size_t level, const cv::Mat &patch, int shiftY, int reachX, int reachY, float *scores,
  int *bestY) {
  std::fill(scores, scores + glyphCount, -1.0f);
  const int16_t *shapes = bank.levels[level].data();
  int16_t window[areaMax] = {};
  float top = -1;
  int count = bank.width * bank.height;
  int firstY = std::max(0, bank.slackY + shiftY - reachY);
  int lastY = std::min(2 * bank.slackY, bank.slackY + shiftY + reachY);
  for (int oy = firstY; oy <= lastY; oy++) {
    for (int ox = std::max(0, bank.slackX - reachX); ox <= std::min(2 * bank.slackX, bank.slackX + reachX); ox++) {
      int sum = 0, squares = 0;
      for (int y = 0, at = 0; y < bank.height; y++) {
        const uint8_t *line = patch.ptr<uint8_t>(y + oy) + ox;
        for (int x = 0; x < bank.width; x++, at++) {
          int ink = 255 - line[x];
          window[at] = int16_t(ink);
          sum += ink;
          squares += ink * ink;
        }
      }
      float variance = float(squares) - float(sum) * float(sum) / float(count);
      // Flat paper correlates with nothing.
      float inverse = 1 / (unit * std::sqrt(std::max(variance, 40.0f * float(count))));
      for (int g = 0; g < glyphCount; g++) {
        float score = float(dot(shapes + g * bank.area, window, bank.area)) * inverse;
        if (score > scores[g]) scores[g] = score;
        if (score > top) {
          top = score;
          if (bestY) *bestY = oy - bank.slackY;
        }
      }
    }
  }
  return top;
}

}  // namespace cvision
