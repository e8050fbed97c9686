// SPDX-License-Identifier: Apache-2.0

// The network, the characters and the codes of a `.traineddata` file of Tesseract.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "Matrix.hpp"

namespace cvision {

/// One layer of a line recogniser.
struct Layer {
  enum Kind {
    /// What lies in a square of 3 × 3, squashed; and of each square of `pool` × `pool` results the largest.
    convolved,
    /// A memory that runs down each column and answers with what it holds at the bottom.
    columns,
    /// A memory that runs along the line, from its beginning or from its end.
    forward, backward,
    /// How likely each code is at each step along the line.
    likelihoods,
  };
  Kind kind;
  Matrix matrix;
  /// Of `convolved` alone: its weights as they are, input by input, and what is pooled.
  std::vector<float> weights;
  int pool = 1;
};

/// A line recogniser as Tesseract 4 and 5 store it, of the shape that its models of scripts have:
/// `[1,h,0,1 Ct3,3,n Mp3,3 Lfys… Lfx… Lrx… O1c…]`.
struct LineModel {
  /// Of the strips that it reads, in pixels.
  int height = 0;
  std::vector<Layer> layers;
  /// The code that stands for "no character begins here".
  int none = 0;
  /// The characters of each code; empty where a code has none by itself. Code 0 is the space.
  std::vector<std::string> characters;

  /// The least pixels along the line of which one step is made.
  int pool() const { return layers.empty() ? 1 : layers[0].pool; }

  /// Null when there is no such file. Throws `OtherModel` when what is there is no model of this shape.
  static std::unique_ptr<LineModel> load(const std::string &path);
};

/// A file is there, and cannot be used: it is cut off, none of Tesseract's, or of another architecture.
struct OtherModel : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace cvision
