// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"
#include "Quad.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace cvision;

namespace {

/// A true screen fills its corners but for their roundness: the area of its hull over that of its polygon.
constexpr double cornerRoundnessMax = 1.25;

double side(const Quad &quad, size_t i) { return cv::norm(quad[i] - quad[(i + 1) % 4]); }

/// How much a quad is like a phone's screen: its area, when sides and corners can be those of one.
double worth(const Quad &quad, cv::Size size) {
  const double area = cv::contourArea(quad) / size.area();
  if (area < 0.05 || area > 0.97) return 0;
  const double across = (side(quad, 0) + side(quad, 2)) / 2, down = (side(quad, 1) + side(quad, 3)) / 2;
  const double aspect = std::max(across, down) / std::max(1.0, std::min(across, down));
  if (aspect < 1.25 || aspect > 2.7) return 0;
  for (size_t i = 0; i < 4; i++) {
    const cv::Point2f u = quad[(i + 3) % 4] - quad[i], v = quad[(i + 1) % 4] - quad[i];
    if (std::abs(u.dot(v) / (cv::norm(u) * cv::norm(v) + 1e-6)) > 0.45) return 0;
  }
  return area;
}

/// The value that one pixel in two hundred passes.
double strongest(const cv::Mat &values) {
  std::vector<size_t> histogram(256, 0);
  for (int y = 0; y < values.rows; y++)
    for (int x = 0; x < values.cols; x++) histogram[values.at<uint8_t>(y, x)]++;
  size_t above = 0;
  for (int value = 255; value > 0; value--)
    if ((above += histogram[size_t(value)]) * 200 > values.total()) return value;
  return 0;
}

/// Fills linear barcodes with what is around them: a median takes their paper for the ground of the print beside them,
/// and a reader takes bars for letters. Many upright edges side by side, each longer than a letter is high, are one.
void eraseBars(cv::Mat &grey) {
  constexpr int letter = 58, wide = 61, gap = 41;
  constexpr double edge = 14, busy = 30, aspectMin = 1.3;
  cv::Mat soft, slope, edges, density, mask;
  cv::blur(grey, soft, cv::Size(1, 9));
  cv::Sobel(soft, slope, CV_16S, 1, 0, 3, 0.25);
  cv::convertScaleAbs(slope, slope);
  cv::threshold(slope, edges, edge, 255, cv::THRESH_BINARY);
  cv::morphologyEx(edges, edges, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(1, letter)));
  cv::blur(edges, density, cv::Size(wide, 1));
  cv::threshold(density, mask, busy, 255, cv::THRESH_BINARY);
  cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(gap, 15)));
  cv::morphologyEx(mask, mask, cv::MORPH_OPEN, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(81, 31)));
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
  for (const auto &contour : contours) {
    const cv::Rect box = cv::boundingRect(contour);
    if (box.width < box.height * aspectMin || box.height > grey.rows / 6) continue;
    // The paper around the bars: quiet zones of ten modules.
    const cv::Rect all(cv::Point(), grey.size());
    const cv::Rect paper = cv::Rect(box.x - 16, box.y - 8, box.width + 32, box.height + 16) & all;
    const cv::Rect around = cv::Rect(paper.x - 16, paper.y - 2, paper.width + 32, paper.height + 4) & all;
    std::vector<uint8_t> rim;
    for (int x = around.x; x < around.x + around.width; x++) {
      rim.push_back(grey.at<uint8_t>(around.y, x));
      rim.push_back(grey.at<uint8_t>(around.y + around.height - 1, x));
    }
    std::nth_element(rim.begin(), rim.begin() + long(rim.size() / 2), rim.end());
    grey(paper).setTo(rim[rim.size() / 2]);
  }
}

}  // namespace

cvision_status cvision_print(const cvision_frame *source, int has_bars, cvision_frame **out) {
  return guarded([&] {
    // What stands around a stroke: the median of a window that a letter fills to a third at most.
    constexpr double share = 0.25;
    constexpr int window = 21, reach = 41, smooth = 31;
    // Least contrast of print, and as a share of the strongest on the page: bands of light are weaker.
    constexpr double contrastMin = 48, contrastShare = 0.4;
    // Below the first share of its surroundings' contrast nothing is print, above the second all is.
    constexpr double paper = 0.28, ink = 0.85;
    cv::Mat grey, soft, small, ground, wide, away, peak, flat, bgr;
    cv::cvtColor(source->bgr, grey, cv::COLOR_BGR2GRAY);
    if (has_bars) eraseBars(grey);
    cv::GaussianBlur(grey, soft, cv::Size(), 1.1);
    cv::resize(soft, small, cv::Size(), share, share, cv::INTER_AREA);
    cv::medianBlur(small, ground, window);
    cv::resize(ground, wide, soft.size(), 0, 0, cv::INTER_LINEAR);
    cv::absdiff(soft, wide, away);
    cv::resize(away, small, ground.size(), 0, 0, cv::INTER_AREA);
    const double least = std::max(contrastMin, contrastShare * strongest(away));
    cv::dilate(small, peak, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(reach, reach)));
    cv::blur(peak, peak, cv::Size(smooth, smooth));
    cv::resize(cv::max(peak, least), wide, soft.size(), 0, 0, cv::INTER_LINEAR);
    cv::divide(away, wide, flat, 255, CV_32F);
    flat.convertTo(flat, CV_8U, -1 / (ink - paper), 255 + 255 * paper / (ink - paper));
    cv::cvtColor(flat, bgr, cv::COLOR_GRAY2BGR);
    *out = frame(bgr);
    return CVISION_OK;
  });
}

cvision_status cvision_find_screens(const cvision_frame *source, cvision_screens *out) {
  return guarded([&] {
    *out = {};
    const cv::Mat &bgr = source->bgr;
    const double scale = std::min(1.0, 720.0 / std::max(bgr.cols, bgr.rows));
    cv::Mat small, grey, mask;
    cv::resize(bgr, small, cv::Size(), scale, scale, cv::INTER_AREA);
    cv::cvtColor(small, grey, cv::COLOR_BGR2GRAY);
    cv::GaussianBlur(grey, grey, cv::Size(5, 5), 0);
    const double otsu = cv::threshold(grey, mask, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
    std::vector<std::pair<double, Quad>> found;
    const cv::Mat closing = cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(9, 9));
    for (double level : {otsu, otsu * 0.75, otsu + (255 - otsu) * 0.3, otsu + (255 - otsu) * 0.55}) {
      cv::threshold(grey, mask, level, 255, cv::THRESH_BINARY);
      cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, closing);
      cv::morphologyEx(mask, mask, cv::MORPH_OPEN, closing);
      std::vector<std::vector<cv::Point>> contours;
      cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
      for (const auto &contour : contours) {
        Quad quad;
        if (cv::contourArea(contour) < mask.total() * 0.04) continue;
        if (!corners(contour, {0.02, 0.03, 0.045, 0.06, 0.08}, quad, cornerRoundnessMax)) continue;
        const double value = worth(quad, mask.size());
        if (value <= 0) continue;
        const bool known = std::any_of(found.begin(), found.end(), [&](const auto &other) {
          double away = 0;
          for (size_t i = 0; i < 4; i++) away = std::max(away, cv::norm(other.second[i] - quad[i]));
          return away < 14;
        });
        if (!known) found.emplace_back(value, quad);
      }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto &l, const auto &r) { return l.first > r.first; });
    for (const auto &[value, quad] : found) {
      if (out->count == CVISION_SCREENS_MAX) break;
      cvision_quad &to = out->quads[out->count++];
      for (size_t i = 0; i < 4; i++) to.x[i] = float(quad[i].x / scale), to.y[i] = float(quad[i].y / scale);
    }
    return CVISION_OK;
  });
}
