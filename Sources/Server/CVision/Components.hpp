// SPDX-License-Identifier: Apache-2.0

// Dark connected things in a picture, found in one pass that keeps no picture of its own.
#pragma once

#include <opencv2/core.hpp>

#include <vector>

namespace cvision {

/// An upright box around dark pixels that touch one another, corners included; `area` counts the pixels.
struct Component {
  int left, top, width, height, area;
};

/// Pixels beside one another: `from` to `to`, which is not one of them.
struct Run {
  int from, to;
  /// The number of its component.
  int label;
};

/// The pixels of a picture that are not 0, and which of them touch: components as OpenCV's
/// `connectedComponentsWithStats` finds them (8 neighbours), in the same order, counted from 0.
class Parts {
 public:
  explicit Parts(const cv::Mat &mask);

  const std::vector<Component> &components() const { return found; }
  /// The runs of row `y`, from left to right, are those from `row(y)` up to `row(y + 1)`.
  const Run *row(int y) const { return runs.data() + starts[size_t(y)]; }

 private:
  std::vector<Component> found;
  std::vector<Run> runs;
  std::vector<size_t> starts;
};

/// The components of an 8-bit picture, smoothed a little, that are at least `depth` darker than the mean of the
/// `window` × `window` pixels around them. `window` is odd and at most 255.
///
/// The answer is that of OpenCV's `GaussianBlur` (3 × 3), `adaptiveThreshold` (mean, inverted) and
/// `connectedComponentsWithStats` (8 neighbours), component by component and in the same order.
std::vector<Component> darkComponents(const cv::Mat &grey, int window, int depth);

}  // namespace cvision
