// SPDX-License-Identifier: Apache-2.0

// Running a line recogniser over the strips of a page.
#pragma once

#include <opencv2/core.hpp>

#include <vector>

#include "LineModel.hpp"

namespace cvision {

/// How likely each code is at each step along a line: `steps` × `codes` numbers, those of a step sum to 1.
struct Likelihoods {
  int steps = 0, codes = 0;
  std::vector<float> values;

  const float *at(int step) const { return values.data() + size_t(step) * size_t(codes); }
};

/// What the model makes of strips (8-bit grey, dark on white, as high as the model's `height`). Strips of like width
/// should stand beside one another: they are read in groups.
std::vector<Likelihoods> recognise(const LineModel &model, const std::vector<cv::Mat> &strips);

}  // namespace cvision
