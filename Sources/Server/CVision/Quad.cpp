// SPDX-License-Identifier: Apache-2.0

#include "Quad.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

namespace cvision {

Quad ordered(Quad corners) {
  cv::Point2f centre(0, 0);
  for (const auto &corner : corners) centre += corner * 0.25f;
  std::sort(corners.begin(), corners.end(), [&](const cv::Point2f &l, const cv::Point2f &r) {
    return std::atan2(l.y - centre.y, l.x - centre.x) < std::atan2(r.y - centre.y, r.x - centre.x);
  });
  size_t start = 0;
  for (size_t i = 1; i < 4; i++)
    if (corners[i].x + corners[i].y < corners[start].x + corners[start].y) start = i;
  std::rotate(corners.begin(), corners.begin() + long(start), corners.end());
  return corners;
}

bool corners(
  const std::vector<cv::Point> &contour, std::initializer_list<double> shares, Quad &quad, double excessMax) {
  std::vector<cv::Point> hull, polygon;
  cv::convexHull(contour, hull);
  const double round = cv::arcLength(hull, true);
  for (double share : shares) {
    cv::approxPolyDP(hull, polygon, round * share, true);
    if (polygon.size() < 4) return false;
    if (polygon.size() != 4) continue;
    if (cv::contourArea(hull) > excessMax * cv::contourArea(polygon)) return false;
    quad = ordered(Quad(polygon.begin(), polygon.end()));
    return true;
  }
  return false;
}

}  // namespace cvision
