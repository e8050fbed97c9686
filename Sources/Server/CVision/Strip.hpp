// SPDX-License-Identifier: Apache-2.0

// The part of a picture around a lane of rows, straightened: rows run level there, at one pitch.
#pragma once

#include "Seek.hpp"

#include <opencv2/core.hpp>

namespace cvision {

struct Strip {
  /// Pixels from one glyph to the next.
  static constexpr int pitch = 20;

  cv::Mat grey;
  /// Whether `grey` was turned over since it was cut.
  bool turned = false;

  /// - Parameter scale: what the lane's picture measures against the one that is cut from.
  Strip(const cv::Mat &picture, const Lane &lane, double scale);

  /// Where a place in the strip lies in the picture that it was cut from.
  cv::Point2d place(double x, double y) const;
  /// Turns it by half a turn.
  void turnOver();

 private:
  Trail base;
  double left = 0, top = 0, scale = 1;

  /// The direction square to the row at its k-th glyph, one pitch long.
  cv::Point2d down(double k) const;
};

}  // namespace cvision
