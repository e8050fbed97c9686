// SPDX-License-Identifier: Apache-2.0

// How well the 37 glyphs fit the cells of a row.
#pragma once

#include "Rows.hpp"

#include <opencv2/core.hpp>

#include <cstdint>
#include <vector>

namespace cvision {

/// The glyphs as zero-mean, unit-norm templates in whole numbers, at several blurs, sharpest first.
struct Bank {
  int width, height;
  /// A cell is sampled with so much more on each side, so that a glyph may stand a little off its place.
  int slackX, slackY;
  /// Samples of one template, filled up with zeros to a multiple of 8.
  int area;
  std::vector<std::vector<int16_t>> levels;

  /// A template is a pitch wide and 1.3 pitches high, in 20 × 26 samples.
  static const Bank &fine();
  /// In 10 × 13 samples: to see whether there is a glyph at all, and where.
  static const Bank &coarse();
};

/// Samples the cell at column `k` of `row`; `scale` enlarges it against the pitch, `dy` moves it down.
void sample(const Bank &bank, const cv::Mat &grey, const Row &row, double k, double scale, cv::Mat &patch);

/// The best normalised correlation of each glyph over shifts of up to `reachX` and `reachY` samples around `shiftY`.
/// - Returns: the best of all.
float correlate(
  const Bank &bank, size_t level, const cv::Mat &patch, int shiftY, int reachX, int reachY, float *scores,
  int *bestY = nullptr);

}  // namespace cvision
