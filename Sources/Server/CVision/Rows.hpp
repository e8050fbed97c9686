// SPDX-License-Identifier: Apache-2.0

// Rows of evenly spaced glyphs, as curves: where the k-th glyph of a row stands.
#pragma once

#include <opencv2/core.hpp>

#include <vector>

namespace cvision {

/// A dark blob that may be a glyph.
struct Blob {
  float x, y, width, height;
};

/// y = a + b·x + c·x² through the blobs' centres; x(k) = first + pitch·k + bend·k².
struct Row {
  std::vector<Blob> blobs;
  double a = 0, b = 0, c = 0;
  double first = 0, pitch = 0, bend = 0;
  int count = 0;

  double y(double x) const { return a + b * x + c * x * x; }
  double x(double k) const { return first + pitch * k + bend * k * k; }
};

/// Every level row of at least `glyphsMin` evenly spaced blobs, top to bottom, in an 8-bit picture whose glyphs are
/// about `pitch` pixels apart.
std::vector<Row> findRows(const cv::Mat &grey, double pitch, int glyphsMin);

}  // namespace cvision
