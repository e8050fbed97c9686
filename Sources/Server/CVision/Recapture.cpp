// SPDX-License-Identifier: Apache-2.0

// Colour ripples, as the grid of a screen makes them with the grid of a camera's sensor.
//
// A screen that is photographed shows bands whose colours shift against one another, because the sub-pixels of the screen
// and the filters of the sensor lie apart. Print has no such bands: it holds many frequencies at once. So the measure is
// how much of the energy of the difference of red and blue is in one frequency, whatever its direction.
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "Guard.hpp"

using namespace cvision;

namespace {

/// The picture is looked at this small: what is left of print is its colour.
constexpr int side = 64;
/// In periods of the picture's width: below is the light of the room, above is noise.
constexpr double frequencyMin = 2, frequencyMax = 24;
/// Share of the picture that is left out at each edge: the desk beside a document.
constexpr double margin = 0.06;

/// log R − log B, without the quadratic surface that lamps and shadows make, and without what stands out.
cv::Mat difference(const cv::Mat &bgr) {
  const int across = int(bgr.cols * margin), down = int(bgr.rows * margin);
  const cv::Rect inner(across, down, bgr.cols - 2 * across, bgr.rows - 2 * down);
  cv::Mat small, planes[3], red, blue;
  cv::resize(bgr(inner), small, cv::Size(side, side), 0, 0, cv::INTER_AREA);
  small.convertTo(small, CV_64FC3, 1, 1);
  cv::split(small, planes);
  cv::log(planes[2], red);
  cv::log(planes[0], blue);
  cv::Mat values = cv::Mat(red - blue).reshape(1, side * side);
  cv::Mat surface(side * side, 6, CV_64F), weights;
  for (int at = 0; at < side * side; at++) {
    const double x = double(at % side) / side - 0.5, y = double(at / side) / side - 0.5;
    const double terms[6] = {1, x, y, x * x, y * y, x * y};
    std::copy(terms, terms + 6, surface.ptr<double>(at));
  }
  cv::solve(surface, values, weights, cv::DECOMP_QR);
  values -= surface * weights;
  std::vector<double> sizes(side * side);
  for (int at = 0; at < side * side; at++) sizes[at] = std::abs(values.at<double>(at));
  std::nth_element(sizes.begin(), sizes.begin() + side * side / 2, sizes.end());
  const double limit = 3 * sizes[side * side / 2] + 1e-9;
  return cv::Mat(cv::min(cv::max(values, -limit), limit)).reshape(1, side);
}

}  // namespace

cvision_status cvision_recapture(const cvision_frame *source, float *share, float *amplitude) {
  return guarded([&] {
    if (source->bgr.cols < side || source->bgr.rows < side) return refuse(CVISION_BAD_INPUT, "too small a picture");
    cv::Mat values = difference(source->bgr), window, spectrum;
    cv::createHanningWindow(window, values.size(), CV_64F);
    values = values.mul(window.mul(window));
    cv::dft(values, spectrum, cv::DFT_COMPLEX_OUTPUT);
    cv::Mat energy = cv::Mat::zeros(side, side, CV_64F);
    double total = 0;
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        const double v = row <= side / 2 ? row : row - side, u = column <= side / 2 ? column : column - side;
        const double frequency = std::hypot(u, v);
        if (frequency < frequencyMin || frequency > frequencyMax) continue;
        const cv::Vec2d value = spectrum.at<cv::Vec2d>(row, column);
        energy.at<double>(row, column) = value.dot(value);
        total += value.dot(value);
      }
    }
    double best = 0;
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        double sum = 0;
        for (int y = -1; y <= 1; y++) {
          for (int x = -1; x <= 1; x++) sum += energy.at<double>((row + y + side) % side, (column + x + side) % side);
        }
        best = std::max(best, sum);
      }
    }
    // A frequency and its mirror image hold the same energy.
    const double power = cv::sum(window.mul(window).mul(window.mul(window)))[0] * side * side;
    *share = total > 0 ? float(std::min(1.0, 2 * best / total)) : 0;
    *amplitude = float(std::sqrt(4 * best / power));
    return CVISION_OK;
  });
}
