// SPDX-License-Identifier: Apache-2.0

// The straight sides of a card: lines that edges of a picture lie on, and how much of a quad's sides do.
#pragma once

#include "Quad.hpp"

#include <opencv2/core.hpp>

#include <functional>
#include <vector>

namespace cvision {

/// The gradient of a picture of three colours: of each pixel that of the colour which changes most, so that a card is
/// seen on a table which is as light as it.
class Slopes {
public:
  explicit Slopes(const cv::Mat &bgr);

  /// Edges one pixel wide. `least` is the change a pixel from which one begins.
  cv::Mat edges(double least) const;

  /// How much of each side of a quad lies on an edge that runs along it: of the worst side, and of all four. What lies
  /// at the frame's own border is not known and counts as half.
  struct Support {
    double worst, mean;
  };
  Support support(const Quad &quad) const;

private:
  cv::Mat across, down;

  double support(cv::Point2f from, cv::Point2f to) const;
};

/// Quads whose sides are long straight lines of edges, of those that `mayBe` lets pass.
std::vector<Quad> quads(const cv::Mat &edges, const std::function<bool(const Quad &)> &mayBe);

}  // namespace cvision
