// SPDX-License-Identifier: Apache-2.0

#include "Sides.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace cvision {

namespace {

/// A straight line: a point of it, its direction of length 1, and how long the edges on it are together.
struct Line {
  cv::Point2f at, along;
  double length;
  /// The ends of the edges on it, two by two.
  std::vector<cv::Point2f> ends;

  double distance(const cv::Point2f &point) const { return std::abs((point - at).cross(along)); }

  /// Lays the line through the middle of its edges, each as heavy as it is long.
  void refit() {
    double sum = 0, xx = 0, xy = 0, yy = 0;
    cv::Point2d middle(0, 0);
    for (size_t i = 0; i + 1 < ends.size(); i += 2) {
      const double weight = cv::norm(ends[i + 1] - ends[i]);
      middle += cv::Point2d(ends[i] + ends[i + 1]) * (weight / 2), sum += weight;
    }
    middle *= 1 / sum;
    for (size_t i = 0; i < ends.size(); i++) {
      const double weight = cv::norm(ends[i | 1] - ends[i & ~size_t(1)]);
      const cv::Point2d off = cv::Point2d(ends[i]) - middle;
      xx += weight * off.x * off.x, xy += weight * off.x * off.y, yy += weight * off.y * off.y;
    }
    const double angle = std::atan2(2 * xy, xx - yy) / 2;
    at = middle, along = cv::Point2f(float(std::cos(angle)), float(std::sin(angle)));
  }
};

/// The longest lines that straight parts of edges lie on.
std::vector<Line> lines(const cv::Mat &edges) {
  constexpr size_t linesMost = 36;
  constexpr double offMost = 2.5, bend = 1.6;
  const double shortest = std::max(edges.cols, edges.rows) / 32.0, least = std::min(edges.cols, edges.rows) / 8.0;
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(edges, contours, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
  struct Part {
    double length;
    cv::Point2f from, to;
  };
  std::vector<Part> parts;
  std::vector<cv::Point> polygon;
  for (const auto &contour : contours) {
    const cv::Rect box = cv::boundingRect(contour);
    if (std::max(box.width, box.height) < shortest * 0.7) continue;
    cv::approxPolyDP(contour, polygon, bend, true);
    for (size_t i = 0; i < polygon.size(); i++) {
      const cv::Point2f from = polygon[i], to = polygon[(i + 1) % polygon.size()];
      const double length = cv::norm(to - from);
      if (length >= shortest) parts.push_back({length, from, to});
    }
  }
  std::sort(parts.begin(), parts.end(), [](const Part &l, const Part &r) { return l.length > r.length; });
  std::vector<Line> found;
  for (const Part &part : parts) {
    auto home = std::find_if(found.begin(), found.end(), [&](const Line &line) {
      return line.distance(part.from) < offMost && line.distance(part.to) < offMost;
    });
    if (home == found.end()) {
      if (found.size() > linesMost * 4) continue;
      found.push_back({part.from, (part.to - part.from) * (1 / part.length), 0, {}});
      home = found.end() - 1;
    }
    home->length += part.length, home->ends.push_back(part.from), home->ends.push_back(part.to);
  }
  std::sort(found.begin(), found.end(), [](const Line &l, const Line &r) { return l.length > r.length; });
  while (!found.empty() && (found.size() > linesMost || found.back().length < least)) found.pop_back();
  for (Line &line : found) line.refit();
  return found;
}

bool crossing(const Line &one, const Line &other, cv::Point2f &point) {
  const double cross = one.along.cross(other.along);
  if (std::abs(cross) < 0.3) return false;
  point = one.at + one.along * float((other.at - one.at).cross(other.along) / cross);
  return true;
}

}  // namespace

Slopes::Slopes(const cv::Mat &bgr) {
  cv::Mat x, y;
  cv::Sobel(bgr, x, CV_16S, 1, 0), cv::Sobel(bgr, y, CV_16S, 0, 1);
  across.create(bgr.size(), CV_16S), down.create(bgr.size(), CV_16S);
  for (int row = 0; row < bgr.rows; row++) {
    const short *dx = x.ptr<short>(row), *dy = y.ptr<short>(row);
    short *toX = across.ptr<short>(row), *toY = down.ptr<short>(row);
    for (int col = 0; col < bgr.cols; col++, dx += 3, dy += 3) {
      int best = 0;
      for (int c = 1; c < 3; c++)
        if (std::abs(dx[c]) + std::abs(dy[c]) > std::abs(dx[best]) + std::abs(dy[best])) best = c;
      toX[col] = dx[best], toY[col] = dy[best];
    }
  }
}

cv::Mat Slopes::edges(double least) const {
  cv::Mat edges;
  cv::Canny(across, down, edges, least / 2, least, true);
  return edges;
}

double Slopes::support(cv::Point2f from, cv::Point2f to) const {
  constexpr int samples = 48, reach = 2;
  constexpr float faint = 28;
  const cv::Point2f side = to - from;
  const double length = cv::norm(side);
  if (length < 1) return 0;
  const cv::Point2f normal(float(-side.y / length), float(side.x / length));
  // A card is lighter or darker than what it lies on along a whole side; on tiles and checks light and dark take turns.
  double rising = 0, falling = 0, unknown = 0;
  // The corners of cards are round.
  for (int i = 0; i < samples; i++) {
    const cv::Point2f point = from + side * (0.06f + 0.88f * float(i) / (samples - 1));
    bool isKnown = false;
    float on = 0;
    for (int k = -reach; k <= reach && on == 0; k++) {
      const int x = cvRound(point.x + normal.x * float(k)), y = cvRound(point.y + normal.y * float(k));
      if (x < 2 || y < 2 || x >= across.cols - 2 || y >= across.rows - 2) continue;
      isKnown = true;
      const float gx = across.at<short>(y, x), gy = down.at<short>(y, x);
      const float along = gx * normal.x + gy * normal.y;
      if (std::abs(along) >= faint && along * along * 1.25f >= gx * gx + gy * gy) on = along;
    }
    if (!isKnown) unknown++;
    else if (on != 0) (on > 0 ? rising : falling)++;
  }
  return (std::max(rising, falling) + std::min(rising, falling) / 4 + unknown / 2) / samples;
}

Slopes::Support Slopes::support(const Quad &quad) const {
  Support found{1, 0};
  for (size_t i = 0; i < 4; i++) {
    const double side = support(quad[i], quad[(i + 1) % 4]);
    found.worst = std::min(found.worst, side), found.mean += side / 4;
  }
  return found;
}

std::vector<Quad> quads(const cv::Mat &edges, const std::function<bool(const Quad &)> &mayBe) {
  const std::vector<Line> all = lines(edges);
  const double apart = std::min(edges.cols, edges.rows) * 0.2;
  struct Pair {
    size_t one, other;
    cv::Point2f along;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < all.size(); i++)
    for (size_t j = i + 1; j < all.size(); j++) {
      const float cosine = all[i].along.dot(all[j].along);
      const double gap = std::min(all[i].distance(all[j].at), all[j].distance(all[i].at));
      if (std::abs(cosine) < 0.94f || gap < apart) continue;
      pairs.push_back({i, j, all[i].along + all[j].along * (cosine < 0 ? -1.0f : 1.0f)});
    }
  std::vector<Quad> found;
  for (size_t i = 0; i < pairs.size(); i++)
    for (size_t j = i + 1; j < pairs.size(); j++) {
      const Pair &a = pairs[i], &b = pairs[j];
      if (std::abs(a.along.dot(b.along)) > 0.4 * cv::norm(a.along) * cv::norm(b.along)) continue;
      Quad corners(4);
      if (!crossing(all[a.one], all[b.one], corners[0]) || !crossing(all[a.one], all[b.other], corners[1])
          || !crossing(all[a.other], all[b.other], corners[2]) || !crossing(all[a.other], all[b.one], corners[3]))
        continue;
      const bool isInside = std::all_of(corners.begin(), corners.end(), [&](const cv::Point2f &corner) {
        return corner.x > -6 && corner.y > -6 && corner.x < float(edges.cols + 6) && corner.y < float(edges.rows + 6);
      });
      if (!isInside) continue;
      const Quad quad = ordered(corners);
      if (mayBe(quad)) found.push_back(quad);
    }
  return found;
}

}  // namespace cvision
