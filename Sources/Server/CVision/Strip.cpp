// SPDX-License-Identifier: Apache-2.0

#include "Strip.hpp"

#include "Cubic.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace cvision {

namespace {
/// Glyphs that may be missing at each end of the row that was found, and pitches that a lane may be high on each side.
constexpr double endsMax = 16, sideMax = 8;
/// Characters of the longest row, and a few more for dust beside it.
constexpr double columnsMax = 48;
}  // namespace

Strip::Strip(const cv::Mat &picture, const Lane &lane, double measure) : base(lane.front()), scale(measure) {
  double span = std::min(base.high - base.low + 1, 60.0);
  double ends = std::clamp(columnsMax - span, 4.0, endsMax);
  left = base.low - ends;
  double upper = 0, lower = 0;
  for (const Trail &trail : lane) {
    cv::Point2d middle = trail.at((trail.low + trail.high) / 2), from = base.at((base.low + base.high) / 2);
    cv::Point2d square = down((base.low + base.high) / 2);
    double off = (middle - from).dot(square) / square.dot(square);
    upper = std::min(upper, off), lower = std::max(lower, off);
  }
  // One more row may lie on either side, and two when only one was found. Rows are 2.5 pitches apart (Doc 9303-3).
  const double beside = lane.size() == 1 ? 6.5 : 4;
  top = std::max(-sideMax, upper - beside);
  double bottom = std::min(sideMax, lower + beside);

  cv::Size size(int((span + 2 * ends) * pitch), int((bottom - top) * pitch));
  std::vector<cv::Point2d> middles, squares;
  for (int x = 0; x < size.width; x++) {
    double k = left + double(x) / pitch;
    middles.push_back(base.at(k) * (1 / scale)), squares.push_back(down(k) * (1 / scale));
  }
  grey.create(size, CV_8U);
  std::vector<float> toX(middles.size()), toY(middles.size());
  for (int y = 0; y < size.height; y++) {
    double off = top + double(y) / pitch;
    for (size_t x = 0; x < middles.size(); x++) {
      toX[x] = float(middles[x].x + squares[x].x * off), toY[x] = float(middles[x].y + squares[x].y * off);
    }
    cubicPixels(picture, toX.data(), toY.data(), size.width, grey.ptr<uint8_t>(y));
  }
}

cv::Point2d Strip::down(double k) const {
  // Where a page bends towards the spine its glyphs get narrower, not lower; where it recedes they get both. The trend
  // of the pitch along the row is the second.
  double quarter = (base.high - base.low) / 4, middle = (base.low + base.high) / 2;
  double before = cv::norm(base.at(middle) - base.at(base.low)) / (2 * quarter);
  double after = cv::norm(base.at(base.high) - base.at(middle)) / (2 * quarter);
  double trend = (after - before) / (2 * quarter), mean = (before + after) / 2;
  double high = std::clamp(mean + trend * (k - middle), mean * 0.6, mean * 1.5);
  cv::Point2d step = base.step(k);
  return cv::Point2d(-step.y, step.x) * (high / std::max(1e-6, cv::norm(step)));
}

cv::Point2d Strip::place(double x, double y) const {
  if (turned) x = grey.cols - 1 - x, y = grey.rows - 1 - y;
  double k = left + x / pitch;
  return (base.at(k) + down(k) * (top + y / pitch)) * (1 / scale);
}

void Strip::turnOver() {
  cv::Mat over;
  cv::rotate(grey, over, cv::ROTATE_180);
  grey = over;
  turned = !turned;
}

}  // namespace cvision
