// SPDX-License-Identifier: Apache-2.0

// Cubic interpolation between pixels as OpenCV computes it: in 32 parts of a pixel, with weights of 15 bits.
#pragma once

#include <opencv2/core.hpp>

#include <cstdint>

namespace cvision {

/// Places between two pixels in each direction, and what is 1 in a weight.
constexpr int cubicParts = 32, cubicOne = 1 << 15;

/// Weights of 4 × 4 pixels for each place between pixels, line by line, 16 a place. They add up to 1.
const int16_t *cubicWeights();

/// Pixels of an 8-bit picture at `count` places, as `cv::remap` gives them; pixels beyond the edge are as those on it.
void cubicPixels(const cv::Mat &grey, const float *x, const float *y, int count, uint8_t *to);

}  // namespace cvision
