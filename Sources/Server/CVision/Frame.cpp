// SPDX-License-Identifier: Apache-2.0

#include "Area.hpp"
#include "Guard.hpp"

#include <opencv2/imgproc.hpp>

#include <array>

using namespace cvision;

void cvision_frame_free(cvision_frame *frame) { delete frame; }
int cvision_frame_width(const cvision_frame *frame) { return frame->bgr.cols; }
int cvision_frame_height(const cvision_frame *frame) { return frame->bgr.rows; }

cvision_status cvision_frame_from_bgr(const uint8_t *data, int width, int height, cvision_frame **out) {
  return guarded([&] {
    if (width <= 0 || height <= 0) return refuse(CVISION_BAD_INPUT, "empty frame");
    *out = frame(cv::Mat(height, width, CV_8UC3, const_cast<uint8_t *>(data)).clone());
    return CVISION_OK;
  });
}

cvision_status cvision_rotated(const cvision_frame *source, int quarters, cvision_frame **out) {
  return guarded([&] {
    cv::Mat turned;
    switch (((quarters % 4) + 4) % 4) {
      case 1: cv::rotate(source->bgr, turned, cv::ROTATE_90_CLOCKWISE); break;
      case 2: cv::rotate(source->bgr, turned, cv::ROTATE_180); break;
      case 3: cv::rotate(source->bgr, turned, cv::ROTATE_90_COUNTERCLOCKWISE); break;
      default: turned = source->bgr.clone();
    }
    *out = frame(turned);
    return CVISION_OK;
  });
}

cvision_status cvision_cropped(const cvision_frame *source, cvision_box box, cvision_frame **out) {
  return guarded([&] {
    cv::Rect inside = clipped(box, source->bgr.size());
    if (inside.area() == 0) return refuse(CVISION_BAD_INPUT, "crop outside of the frame");
    *out = frame(source->bgr(inside).clone());
    return CVISION_OK;
  });
}

cvision_status cvision_scaled(const cvision_frame *source, int width, cvision_frame **out) {
  return guarded([&] {
    if (width <= 0) return refuse(CVISION_BAD_INPUT, "no width");
    double factor = double(width) / source->bgr.cols;
    int height = std::max(1, int(source->bgr.rows * factor + 0.5));
    const cv::Size size(width, height);
    cv::Mat scaled;
    if (factor < 1) {
      // As OpenCV reckons the scale of a size.
      const auto reciprocal = [](int to, int from) { return 1 / (double(to) / from); };
      scaled = shrunk(source->bgr, size, reciprocal(width, source->bgr.cols), reciprocal(height, source->bgr.rows));
    } else {
      cv::resize(source->bgr, scaled, size, 0, 0, cv::INTER_CUBIC);
    }
    *out = frame(scaled);
    return CVISION_OK;
  });
}

cvision_status cvision_sharpened(const cvision_frame *source, double radius, double amount, cvision_frame **out) {
  return guarded([&] {
    if (!(radius > 0 && radius <= 32 && amount > 0 && amount <= 10)) return refuse(CVISION_BAD_INPUT, "radius, amount");
    cv::Mat soft, sharp;
    cv::GaussianBlur(source->bgr, soft, cv::Size(), radius);
    cv::addWeighted(source->bgr, 1 + amount, soft, -amount, 0, sharp);
    *out = frame(sharp);
    return CVISION_OK;
  });
}

cvision_status cvision_bordered(const cvision_frame *source, int margin, cvision_frame **out) {
  return guarded([&] {
    if (margin < 0 || margin > 500) return refuse(CVISION_BAD_INPUT, "margin");
    cv::Mat wide;
    cv::copyMakeBorder(source->bgr, wide, margin, margin, margin, margin, cv::BORDER_REPLICATE);
    *out = frame(wide);
    return CVISION_OK;
  });
}

cvision_status cvision_planes(const cvision_frame *source, uint8_t *luma, uint8_t *chroma) {
  return guarded([&] {
    const cv::Mat &bgr = source->bgr;
    size_t at = 0;
    for (int y = 0; y < bgr.rows; y++) {
      const uint8_t *row = bgr.ptr<uint8_t>(y);
      for (int x = 0; x < bgr.cols; x++, row += 3, at++) {
        int b = row[0], g = row[1], r = row[2];
        luma[at] = uint8_t((299 * r + 587 * g + 114 * b + 500) / 1000);
        chroma[at] = uint8_t(std::max(r, std::max(g, b)) - std::min(r, std::min(g, b)));
      }
    }
    return CVISION_OK;
  });
}

namespace {

/// What becomes of a brightness (column) on paper of a brightness (row).
cv::Mat inkShades(double paper_level) {
  cv::Mat bright(256, 256, CV_8U), ground(256, 256, CV_8U), shades;
  for (int y = 0; y < 256; y++)
    for (int x = 0; x < 256; x++) bright.at<uint8_t>(y, x) = uint8_t(x), ground.at<uint8_t>(y, x) = uint8_t(y);
  cv::divide(bright, cv::max(ground, 40), shades, 255);
  // Faint print becomes paper, ink becomes black: what is left is what a reader should spend time on.
  const double black = 70, white = std::max(paper_level, black + 1);
  shades.convertTo(shades, CV_8U, 255 / (white - black), -black * 255 / (white - black));
  return shades;
}

/// Paper that is darker than this lies in deep shadow, and has a grain from this on: a sensor's noise, which is lifted
/// there as print is, and would be thousands of specks.
constexpr int shadowMax = 130;
constexpr uint8_t grainMin = 4;
constexpr double grainWidth = 2;

/// Smooths what lies in deep shadow where it is grained.
void calm(cv::Mat &bright, const cv::Mat &paper) {
  cv::Mat dark = paper < shadowMax;
  if (cv::countNonZero(dark) * 50 < int(dark.total())) return;
  cv::Mat soft, lost;
  cv::GaussianBlur(bright, soft, cv::Size(), grainWidth);
  cv::absdiff(bright, soft, lost);
  std::array<size_t, 256> counts = {};
  size_t seen = 0;
  constexpr int step = 3;
  for (int y = 0; y < dark.rows; y += step)
    for (int x = 0; x < dark.cols; x += step)
      if (dark.at<uint8_t>(y, x)) counts[lost.at<uint8_t>(y, x)]++, seen++;
  size_t below = 0;
  for (int value = 0; value < grainMin; value++) below += counts[size_t(value)];
  if (below * 2 < seen) soft.copyTo(bright, dark);
}

}  // namespace

cvision_status cvision_ink(const cvision_frame *source, double paper_level, cvision_frame **out) {
  return guarded([&] {
    const cv::Size size = source->bgr.size();
    // A coloured line is bright in at least one channel, ink in none.
    cv::Mat brightest(size, CV_8U), small, paper, wide, inked(size, CV_8UC3);
    for (int y = 0; y < size.height; y++) {
      const uint8_t *from = source->bgr.ptr(y);
      uint8_t *to = brightest.ptr(y);
      for (int x = 0; x < size.width; x++) to[x] = std::max({from[3 * x], from[3 * x + 1], from[3 * x + 2]});
    }
    double scale = std::min(1.0, 400.0 / brightest.cols);
    cv::resize(brightest, small, cv::Size(), scale, scale, cv::INTER_AREA);
    cv::morphologyEx(small, paper, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(15, 15)));
    cv::GaussianBlur(paper, paper, cv::Size(15, 15), 0);
    cv::resize(paper, wide, size, 0, 0, cv::INTER_LINEAR);
    calm(brightest, wide);
    const cv::Mat shades = inkShades(paper_level);
    for (int y = 0; y < size.height; y++) {
      const uint8_t *bright = brightest.ptr(y), *ground = wide.ptr(y);
      uint8_t *to = inked.ptr(y);
      for (int x = 0; x < size.width; x++, to += 3) to[0] = to[1] = to[2] = shades.at<uint8_t>(ground[x], bright[x]);
    }
    *out = frame(inked);
    return CVISION_OK;
  });
}

cvision_status cvision_blank(cvision_frame *target, cvision_box box) {
  return guarded([&] {
    cv::Rect inside = clipped(box, target->bgr.size());
    if (inside.area() > 0) target->bgr(inside).setTo(cv::Scalar::all(255));
    return CVISION_OK;
  });
}
