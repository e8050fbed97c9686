// SPDX-License-Identifier: Apache-2.0

// Four-sided outlines, such as those of cards and screens.
#pragma once

#include <opencv2/core.hpp>

#include <initializer_list>
#include <limits>
#include <vector>

namespace cvision {

/// Four corners, clockwise from the top left.
using Quad = std::vector<cv::Point2f>;

/// The same corners, clockwise from the top left.
Quad ordered(Quad corners);

/// Finds the four corners of a contour by ever coarser polygons of its hull.
/// `shares` are the polygons' tolerances as shares of the hull's length. A hull whose area is more than `excessMax`
/// times that of its polygon is refused.
bool corners(
  const std::vector<cv::Point> &contour, std::initializer_list<double> shares, Quad &quad,
  double excessMax = std::numeric_limits<double>::infinity());

}  // namespace cvision
