// SPDX-License-Identifier: Apache-2.0

// Finding lines of print in a picture of ink.
#pragma once

#include "Components.hpp"

#include <opencv2/core.hpp>

#include <vector>

namespace cvision {

/// A run of letters that stand side by side: a word, or words with spaces between them.
struct Line {
  /// Around its letters and their marks.
  cv::Rect box;
  /// Of a capital, in pixels; of a small letter where there is no other.
  int letter = 0;
  /// How many parts hang together by themselves: about as many as it has letters.
  int letters = 0;
  /// How much it rises to the right: pixels for each pixel.
  double slope = 0;
  /// How dark its letters are; 255 is black.
  double ink = 0;
};

/// Lines of print and the picture of each, by itself.
class LineFinder {
 public:
  /// `grey` is dark on white and must be at hand as long as this is.
  explicit LineFinder(const cv::Mat &grey);

  /// From the top to the bottom; of more than a page can have, the lowest are left out.
  const std::vector<Line> &lines() const { return found; }
  /// The letters of a line on white, straight, `height` pixels high; what stands above and below is not on it.
  /// `inside` is where the line's box is in the answer, which is larger.
  cv::Mat cut(size_t line, int height, cv::Rect &inside) const;

 private:
  const cv::Mat &grey;
  Parts parts;
  /// To which line each connected part belongs; −1 for those that are print of no line.
  std::vector<int> owner;
  std::vector<Line> found;
};

}  // namespace cvision
