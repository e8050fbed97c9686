// SPDX-License-Identifier: Apache-2.0

// Products of small integer matrices with a few vectors at once: what a line recogniser spends its time on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cvision {

/// How many vectors are multiplied at once: the weights are read from memory once for all of them.
constexpr int lanes = 4;

/// What is 1 in a vector of activations, which lie in −1…1.
constexpr int activationOne = 8192;

/// Weights of whole numbers with a scale for each row. A row's last weight is its bias.
class Matrix {
 public:
  Matrix() = default;
  /// `weights` are rows × (inputs + 1). `scales` give their unit, row by row.
  Matrix(int rows, int inputs, const std::vector<int16_t> &weights, const std::vector<float> &scales);

  int rows = 0, inputs = 0;
  /// Rows and inputs as they are stored: rows in whole blocks, inputs in pairs.
  int rowsHeld() const { return int(scale.size()); }
  int inputsHeld() const { return (inputs + 1) & ~1; }

  /// `out[lane]`, of `rowsHeld()` numbers, is what the matrix makes of `in[lane]`, of `inputsHeld()` activations.
  void times(const int16_t *const in[lanes], float *const out[lanes]) const;

 private:
  /// Blocks of 16 rows; in a block the weights of the inputs' pairs, for each pair those of all 16 rows.
  std::vector<int16_t> packed;
  std::vector<float> scale, bias;
};

/// One step of a long short-term memory: `gates` are what its matrix made of input and last output, four times `count`
/// numbers (input, input gate, forget gate, output gate). `state` and `out` are of `count` numbers.
void remember(const float *gates, int count, float *state, int16_t *out);

/// tanh of `count` numbers, as activations.
void squash(const float *in, int count, int16_t *out);

}  // namespace cvision
