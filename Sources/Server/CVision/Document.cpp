// SPDX-License-Identifier: Apache-2.0

#include "Area.hpp"
#include "Guard.hpp"
#include "Quad.hpp"
#include "Sides.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

using namespace cvision;

namespace {

double length(const cv::Point2f &a, const cv::Point2f &b) { return cv::norm(a - b); }

/// Largest deviation of a corner from 90°, in degrees.
double skew(const Quad &quad) {
  double worst = 0;
  for (size_t i = 0; i < 4; i++) {
    cv::Point2f u = quad[(i + 3) % 4] - quad[i], v = quad[(i + 1) % 4] - quad[i];
    double cosine = u.dot(v) / (cv::norm(u) * cv::norm(v) + 1e-6);
    worst = std::max(worst, std::abs(90 - std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / CV_PI));
  }
  return worst;
}

/// How much `quad` looks like an ID-1, ID-2 or ID-3 card: area, rightness of the corners, aspect.
double worth(const Quad &quad, cv::Size size) {
  double area = cv::contourArea(quad) / size.area();
  if (area < 0.12 || area > 0.985) return 0;
  double across = (length(quad[0], quad[1]) + length(quad[3], quad[2])) / 2;
  double down = (length(quad[1], quad[2]) + length(quad[0], quad[3])) / 2;
  double aspect = std::max(across, down) / std::max(1.0, std::min(across, down));
  double off = std::min(std::abs(aspect / 1.586 - 1), std::abs(aspect / 1.42 - 1));
  double bent = skew(quad);
  if (off > 0.22 || bent > 28) return 0;
  // A card that leans back is lower by a tenth; what is far off is seldom a card.
  return area * (1 - off * off / 0.06) * (1 - bent / 90);
}

/// The quad of those that were seen that has most of a card's shape and size and whose sides lie on edges.
struct Choice {
  const Slopes &slopes;
  cv::Size size;
  double value = 0;
  Quad quad;

  void consider(const Quad &other) {
    constexpr double worstLeast = 0.35, meanLeast = 0.55;
    const double shape = worth(other, size);
    if (shape <= value) return;
    const Slopes::Support sides = slopes.support(other);
    if (sides.worst < worstLeast || sides.mean < meanLeast) return;
    const double whole = shape * sides.mean * sides.mean * sides.worst;
    if (whole > value) value = whole, quad = other;
  }
};

void consider(const cv::Mat &mask, Choice &choice) {
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
  for (const auto &contour : contours) {
    if (cv::boundingRect(contour).area() < mask.total() * 0.1) continue;
    Quad quad;
    if (!corners(contour, {0.01, 0.02, 0.03, 0.05, 0.08}, quad)) continue;
    choice.consider(quad);
  }
}

/// Pixels unlike the frame's border, which is taken for the table.
cv::Mat unlikeBorder(const cv::Mat &small) {
  cv::Mat lab, border, difference, mask;
  cv::cvtColor(small, lab, cv::COLOR_BGR2Lab);
  int band = std::max(2, small.cols / 60);
  cv::Mat edge(small.size(), CV_8U, cv::Scalar(255));
  edge(cv::Rect(band, band, small.cols - 2 * band, small.rows - 2 * band)) = 0;
  cv::Scalar mean, deviation;
  cv::meanStdDev(lab, mean, deviation, edge);
  cv::absdiff(lab, mean, difference);
  std::vector<cv::Mat> planes;
  cv::split(difference, planes);
  cv::Mat colour = cv::max(planes[1], planes[2]) * 1.5, distance = cv::max(planes[0], colour);
  cv::threshold(distance, mask, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
  return mask;
}

/// Whether more than half of all edges are outside of a quad: then it is a part of what is printed there.
bool printedBeside(const cv::Mat &grey, const Quad &quad) {
  cv::Mat edges, inner(grey.size(), CV_8U, cv::Scalar(0));
  cv::Canny(grey, edges, 30, 90);
  std::vector<cv::Point> corners(quad.begin(), quad.end());
  cv::fillConvexPoly(inner, corners, cv::Scalar(255));
  // The quad's own edges belong to it.
  cv::dilate(inner, inner, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(17, 17)));
  int all = cv::countNonZero(edges), within = cv::countNonZero(edges & inner);
  return (all - within) * 2 > all;
}

}  // namespace

cvision_status cvision_find_document(const cvision_frame *source, cvision_quad *quad, float *share) {
  return guarded([&] {
    const cv::Mat &bgr = source->bgr;
    double scale = std::min(1.0, 640.0 / std::max(bgr.cols, bgr.rows));
    const cv::Size size(cv::saturate_cast<int>(bgr.cols * scale), cv::saturate_cast<int>(bgr.rows * scale));
    cv::Mat small = shrunk(bgr, size, 1 / scale, 1 / scale), smooth, grey, edges, mask;
    cv::GaussianBlur(small, smooth, cv::Size(5, 5), 0);
    cv::cvtColor(smooth, grey, cv::COLOR_BGR2GRAY);

    const Slopes slopes(smooth);
    Choice choice{slopes, size, 0, {}};
    const auto mayBe = [&](const Quad &quad) { return worth(quad, size) > 0; };
    const auto look = [&](double least) {
      for (const Quad &seen : quads(slopes.edges(least), mayBe)) choice.consider(seen);
    };
    look(60), look(160);
    // A pale card on pale paper, of which a picture's frame is seen first.
    if (choice.quad.empty() || cv::contourArea(choice.quad) < size.area() * 0.3) look(30);
    // Sides that are bent or round at their ends have no long lines.
    if (choice.quad.empty()) {
      const cv::Mat wide = cv::getStructuringElement(cv::MORPH_RECT, cv::Size(7, 7));
      cv::morphologyEx(unlikeBorder(smooth), mask, cv::MORPH_CLOSE, wide);
      consider(mask, choice);
      cv::threshold(grey, mask, 0, 255, cv::THRESH_BINARY | cv::THRESH_OTSU);
      consider(mask, choice);
      for (int strength : {30, 75}) {
        cv::Canny(grey, edges, strength, strength * 3);
        cv::dilate(edges, mask, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3)));
        consider(mask, choice);
        cv::morphologyEx(mask, mask, cv::MORPH_CLOSE, wide);
        consider(mask, choice);
      }
    }
    Quad best = choice.quad;
    // A scan that is cut to the document has no outline, but frames within it: the whole has a document's shape. So has
    // a sheet of A4 (ISO 216) that a scanner's glass is as large as; nothing else lies on it.
    double aspect = double(std::max(bgr.cols, bgr.rows)) / std::min(bgr.cols, bgr.rows);
    bool shaped = std::min(std::abs(aspect / 1.586 - 1), std::abs(aspect / 1.42 - 1)) < 0.03;
    bool minor = !best.empty() && cv::contourArea(best) < small.size().area() * 0.4;
    if (shaped && minor && printedBeside(grey, best)) best.clear();
    if (best.empty()) return refuse(CVISION_NOT_FOUND, "no four-sided outline");
    *share = float(cv::contourArea(best) / small.size().area());
    for (size_t i = 0; i < 4; i++) quad->x[i] = float(best[i].x / scale), quad->y[i] = float(best[i].y / scale);
    return CVISION_OK;
  });
}

cvision_status cvision_projected(
  cvision_quad quad, int width, int height, const cvision_quad *part, cvision_quad *out) {
  return guarded([&] {
    if (width < 8 || height < 8 || width > 8000 || height > 8000) return refuse(CVISION_BAD_INPUT, "size");
    std::vector<cv::Point2f> from, moved, to = {{0, 0}, {float(width - 1), 0}, {float(width - 1), float(height - 1)},
                                                {0, float(height - 1)}}, corners;
    for (int i = 0; i < 4; i++) from.emplace_back(quad.x[i], quad.y[i]), corners.emplace_back(part->x[i], part->y[i]);
    cv::perspectiveTransform(corners, moved, cv::getPerspectiveTransform(from.data(), to.data()));
    for (int i = 0; i < 4; i++) out->x[i] = moved[size_t(i)].x, out->y[i] = moved[size_t(i)].y;
    return CVISION_OK;
  });
}
