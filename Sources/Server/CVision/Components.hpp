// Dark connected things in a picture, found in one pass that keeps no picture of its own.
#pragma once

#include <opencv2/core.hpp>

#include <vector>

namespace cvision {

/// An upright box around dark pixels that touch one another, corners included; `area` counts the pixels.
struct Component {
  int left, top, width, height, area;
};

/// The components of an 8-bit picture, smoothed a little, that are at least `depth` darker than the mean of the
/// `window` × `window` pixels around them. `window` is odd and at most 255.
///
/// The answer is that of OpenCV's `GaussianBlur` (3 × 3), `adaptiveThreshold` (mean, inverted) and
/// `connectedComponentsWithStats` (8 neighbours), component by component and in the same order.
std::vector<Component> darkComponents(const cv::Mat &grey, int window, int depth);

}  // namespace cvision
