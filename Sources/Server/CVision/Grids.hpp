// SPDX-License-Identifier: Apache-2.0

// Two or three parallel rows as one grid of known length: 3 × 30, 2 × 36 or 2 × 44 cells.
#pragma once

#include "Rows.hpp"

#include <vector>

namespace cvision {

struct Grid {
  /// Each begins at the grid's first column.
  std::vector<Row> rows;
  int columns = 0;
  /// Cells that show a glyph, less those that do not, less glyphs just outside.
  double worth = 0;

  /// The same grid in the picture turned over, `size` large.
  Grid turnedOver(cv::Size size) const;
};

/// The likeliest grids of a straightened picture, best first.
std::vector<Grid> findGrids(const cv::Mat &grey, double pitch);

}  // namespace cvision
