// SPDX-License-Identifier: Apache-2.0

// From likelihoods along a line to its words.
#pragma once

#include <string>
#include <vector>

#include "LineNetwork.hpp"

namespace cvision {

/// A word of a line.
struct LineWord {
  /// UTF-8.
  std::string text;
  /// How sure the network is of the character that it is least sure of, and that no other stands between: 0…1.
  float certainty = 1;
  /// Where it begins and ends, in pixels along the strip: the middle of the space before and behind it.
  float from = 0, to = 0;
};

/// The likeliest character at each step, without repetitions.
std::vector<LineWord> words(const LineModel &model, const Likelihoods &line, int width);

}  // namespace cvision
