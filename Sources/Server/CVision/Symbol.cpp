// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

using namespace cvision;

namespace {

/// The picture is searched at this length of its longer side: modules of a symbol then melt to one texture.
constexpr double side = 800;
/// A PDF417 is longer than it is high by this at least. No symbol that can be read is smaller than this part of a picture.
constexpr double shapeMin = 1.8, areaMin = 0.01;
/// How much of its rectangle a symbol fills, and how much of the picture's densest edges it has.
constexpr double fullness = 0.7, density = 0.45;
/// The margin around what is found, as a share of the symbol's height: bars at its ends may be weaker than the rest.
constexpr double margin = 0.3;

/// The sum of edges in all directions around each pixel, 0…255 of the most.
cv::Mat texture(const cv::Mat &grey) {
  cv::Mat x, y, ax, ay, sum;
  cv::Sobel(grey, x, CV_16S, 1, 0);
  cv::Sobel(grey, y, CV_16S, 0, 1);
  cv::convertScaleAbs(x, ax, 0.5);
  cv::convertScaleAbs(y, ay, 0.5);
  cv::addWeighted(ax, 0.5, ay, 0.5, 0, sum);
  cv::boxFilter(sum, sum, CV_8U, cv::Size(21, 21));
  cv::normalize(sum, sum, 0, 255, cv::NORM_MINMAX);
  return sum;
}

/// Clockwise from the end that is upper left when its long side lies across.
void place(const cv::RotatedRect &box, double scale, cvision_quad *quad) {
  double angle = box.angle * CV_PI / 180, width = box.size.width, height = box.size.height;
  if (width < height) std::swap(width, height), angle += CV_PI / 2;
  cv::Point2d along(std::cos(angle), std::sin(angle));
  if (along.x < 0) along = -along;
  cv::Point2d down(-along.y, along.x), middle(box.center.x, box.center.y);
  double grown = height * margin;
  along *= width / 2 + grown, down *= height / 2 + grown;
  const cv::Point2d top = middle - down, bottom = middle + down;
  const cv::Point2d corners[] = {top - along, top + along, bottom + along, bottom - along};
  for (int i = 0; i < 4; i++) quad->x[i] = float(corners[i].x / scale), quad->y[i] = float(corners[i].y / scale);
}

}  // namespace

cvision_status cvision_find_symbol(const cvision_frame *source, cvision_quad *quad) {
  return guarded([&] {
    double scale = std::min(1.0, side / std::max(source->bgr.cols, source->bgr.rows));
    cv::Mat grey, mask;
    cv::cvtColor(source->bgr, grey, cv::COLOR_BGR2GRAY);
    cv::resize(grey, grey, cv::Size(), scale, scale, cv::INTER_AREA);
    cv::threshold(texture(grey), mask, 255 * density, 255, cv::THRESH_BINARY);
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
    double best = grey.size().area() * areaMin;
    bool found = false;
    for (const auto &contour : contours) {
      cv::RotatedRect box = cv::minAreaRect(contour);
      double longer = std::max(box.size.width, box.size.height), shorter = std::min(box.size.width, box.size.height);
      double area = cv::contourArea(contour);
      if (area <= best || longer < shorter * shapeMin || area < longer * shorter * fullness) continue;
      best = area, found = true;
      place(box, scale, quad);
    }
    return found ? CVISION_OK : refuse(CVISION_NOT_FOUND, "no dense texture of a symbol's shape");
  });
}
