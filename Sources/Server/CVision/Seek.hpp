// SPDX-License-Identifier: Apache-2.0

// Where in a picture rows of evenly spaced glyphs may lie, at any angle and along any gentle curve.
#pragma once

#include <opencv2/core.hpp>

#include <vector>

namespace cvision {

/// A row as a curve: the place of its k-th glyph for `low` ≤ k ≤ `high`, and straight on beyond.
struct Trail {
  static constexpr int terms = 6;
  /// Coefficients of 1, t, t² and so on, where t runs from −1 at `low` to 1 at `high`.
  double x[terms] = {}, y[terms] = {};
  double low = 0, high = 0;
  int glyphs = 0;

  cv::Point2d at(double k) const;
  /// From one glyph to the next; its length is the pitch there.
  cv::Point2d step(double k) const;
  double pitch() const { return cv::norm(step((low + high) / 2)); }
};

/// Neighbouring parallel rows, taken for one zone; the longest of them comes first.
using Lane = std::vector<Trail>;

/// The likeliest lanes of an 8-bit picture, best first, `lanesMax` at most. Glyphs are looked for that are 5 to 70
/// pixels high. Time is bounded whatever the picture shows.
std::vector<Lane> seekLanes(const cv::Mat &grey, size_t lanesMax);

}  // namespace cvision
