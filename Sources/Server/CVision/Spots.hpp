// SPDX-License-Identifier: Apache-2.0

// Glyph-sized dark things in a picture, and which of them are near a place.
#pragma once

#include <opencv2/core.hpp>

#include <vector>

namespace cvision {

/// A dark thing that may be a glyph. `size` is the longer side of its upright box.
struct Spot {
  float x, y, size;
};

/// Spots in a raster of squares, so that neighbours are found without looking at all.
class Field {
 public:
  Field(std::vector<Spot> spots, cv::Size size);

  const std::vector<Spot> &spots() const { return list; }
  /// The spot nearest to `(x, y)` within `reach` whose size is between `least` and `most`; −1 when there is none.
  int nearest(double x, double y, double reach, double least, double most) const;
  /// Spots within `reach` of spot `i`, without itself, nearest first; `countMax` at most.
  void around(int i, double reach, size_t countMax, std::vector<int> &out) const;

 private:
  static constexpr int side = 24;
  std::vector<Spot> list;
  int columns, lines;
  /// Spots of square s are `order[start[s]]` to `order[start[s + 1] - 1]`.
  std::vector<int> start, order;
};

/// Dark components of glyph size, the largest first when they are too many.
std::vector<Spot> findSpots(const cv::Mat &grey);

}  // namespace cvision
