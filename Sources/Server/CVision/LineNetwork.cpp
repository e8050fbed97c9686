// SPDX-License-Identifier: Apache-2.0

#include "LineNetwork.hpp"

#include <algorithm>
#include <cmath>

namespace cvision {

namespace {

/// Activations of one line: `steps` × `width`.
struct Signal {
  int steps = 0, width = 0;
  std::vector<int16_t> values;

  Signal() = default;
  Signal(int steps, int width) : steps(steps), width(width), values(size_t(steps) * size_t(width)) {}
  int16_t *at(int step) { return values.data() + size_t(step) * size_t(width); }
  const int16_t *at(int step) const { return values.data() + size_t(step) * size_t(width); }
};

/// Room for the vectors of all lanes.
template <typename Number>
struct Lanes {
  std::vector<Number> all;
  Number *lane[lanes];

  explicit Lanes(int width) : all(size_t(width) * lanes) {
    for (int i = 0; i < lanes; i++) lane[i] = all.data() + size_t(width) * size_t(i);
  }
};

/// Ink and paper of a line, which its middle row crosses: a quarter of its darkest and of its brightest places lie
/// beyond them (as where Tesseract trains its networks).
std::pair<float, float> blackAndWhite(const cv::Mat &strip) {
  std::vector<int> dark, bright;
  const uint8_t *row = strip.ptr<uint8_t>(strip.rows / 2);
  for (int x = 1; x + 1 < strip.cols; x++) {
    const int before = row[x - 1], here = row[x], after = row[x + 1];
    if ((here < before && here <= after) || (here <= before && here < after)) dark.push_back(here);
    if ((here > before && here >= after) || (here >= before && here > after)) bright.push_back(here);
  }
  const auto quantile = [](std::vector<int> &of, double share, int none) {
    if (of.empty()) return none;
    const auto place = of.begin() + long(std::min(double(of.size() - 1), share * double(of.size())));
    std::nth_element(of.begin(), place, of.end());
    return *place;
  };
  return {float(quantile(dark, 0.25, 0)), float(quantile(bright, 0.75, 255))};
}

/// Results of the first layer that are computed at once; `LineModel` takes no other number of them.
constexpr int block = 8;
using Block = float __attribute__((vector_size(block * sizeof(float))));

/// The largest results of each square of `pool` × `pool` pixels in a column, one square below the other, before they
/// are squashed. `padded` is the strip with one pixel more on each side.
inline __attribute__((always_inline)) void pooledBody(
  const Layer &layer, int outputs, const cv::Mat &padded, int column, int rows, float *to) {
  const int pool = layer.pool;
  const size_t stride = padded.step1();
  for (int from = 0; from < outputs; from += block) {
    Block weights[10];
    for (int i = 0; i < 10; i++)
      __builtin_memcpy(&weights[i], layer.weights.data() + i * outputs + from, sizeof weights[i]);
    for (int row = 0; row < rows; row++) {
      const float *square = padded.ptr<float>(row * pool) + column * pool;
      Block most = Block{} - 1e9F;
      for (int y = 0; y < pool; y++)
        for (int x = 0; x < pool; x++) {
          const float *corner = square + size_t(y) * stride + x;
          Block sum = weights[9];
          for (int across = 0; across < 3; across++)
            for (int down = 0; down < 3; down++)
              sum += weights[across * 3 + down] * corner[size_t(down) * stride + size_t(across)];
          most = most > sum ? most : sum;
        }
      __builtin_memcpy(to + row * outputs + from, &most, sizeof most);
    }
  }
}

#if defined(__x86_64__)

// Without fused products, so that each processor makes the same of a strip.
__attribute__((target("avx2"))) void widePooled(
  const Layer &layer, int outputs, const cv::Mat &padded, int column, int rows, float *to) {
  pooledBody(layer, outputs, padded, column, rows, to);
}

const bool hasWide = __builtin_cpu_supports("avx2");

#endif

void pooled(const Layer &layer, int outputs, const cv::Mat &padded, int column, int rows, float *to) {
#if defined(__x86_64__)
  if (hasWide) return widePooled(layer, outputs, padded, column, rows, to);
#endif
  pooledBody(layer, outputs, padded, column, rows, to);
}

/// The first layer: `rows` results of each column, one below the other. Beyond the strip's edges nothing is known,
/// which is 0: paper is 1 and ink −1.
Signal convolved(const Layer &layer, const cv::Mat &strip) {
  const int outputs = int(layer.weights.size()) / 10, pool = layer.pool;
  const auto [black, white] = blackAndWhite(strip);
  const float contrast = std::max(1.0F, (white - black) / 2);
  float light[256];
  for (int grey = 0; grey < 256; grey++)
    light[grey] = std::clamp((float(grey) - black) / contrast - 1, -1.0F, 1.0F);
  cv::Mat padded(strip.rows + 2, strip.cols + 2, CV_32F, cv::Scalar(0));
  for (int y = 0; y < strip.rows; y++) {
    const uint8_t *from = strip.ptr<uint8_t>(y);
    float *to = padded.ptr<float>(y + 1) + 1;
    for (int x = 0; x < strip.cols; x++) to[x] = light[from[x]];
  }
  const int columns = strip.cols / pool, rows = strip.rows / pool;
  Signal out(columns, rows * outputs);
  std::vector<float> most(static_cast<size_t>(rows * outputs));
  for (int column = 0; column < columns; column++) {
    pooled(layer, outputs, padded, column, rows, most.data());
    // tanh grows with what it is given: that of the largest is the largest.
    squash(most.data(), rows * outputs, out.at(column));
  }
  return out;
}

/// A memory over up to `lanes` sequences at once: `input(lane, step)` and `output(lane, step, values)`.
template <typename Input, typename Output>
void run(const Matrix &matrix, int width, const int (&steps)[lanes], Input &&input, Output &&output) {
  const int own = matrix.rows / 4;
  Lanes<int16_t> in(matrix.inputsHeld());
  Lanes<float> gates(matrix.rowsHeld()), state(own);
  const int longest = *std::max_element(steps, steps + lanes);
  for (int step = 0; step < longest; step++) {
    for (int lane = 0; lane < lanes; lane++)
      if (step < steps[lane]) std::copy_n(input(lane, step), width, in.lane[lane]);
    matrix.times(in.lane, gates.lane);
    for (int lane = 0; lane < lanes; lane++) {
      if (step >= steps[lane]) continue;
      remember(gates.lane[lane], own, state.lane[lane], in.lane[lane] + width);
      output(lane, step, in.lane[lane] + width);
    }
  }
}

/// Runs down the columns of one line, several at once.
Signal columns(const Matrix &matrix, const Signal &line) {
  const int own = matrix.rows / 4, width = matrix.inputs - own, rows = line.width / width;
  Signal out(line.steps, own);
  for (int from = 0; from < line.steps; from += lanes) {
    int steps[lanes];
    for (int lane = 0; lane < lanes; lane++) steps[lane] = from + lane < line.steps ? rows : 0;
    run(
      matrix, width, steps, [&](int lane, int step) { return line.at(from + lane) + step * width; },
      [&](int lane, int step, const int16_t *values) {
        if (step == rows - 1) std::copy_n(values, own, out.at(from + lane));
      });
  }
  return out;
}

/// Runs along several lines at once.
void along(const Matrix &matrix, bool fromEnd, std::vector<Signal> &lines) {
  const int own = matrix.rows / 4, width = matrix.inputs - own;
  for (size_t from = 0; from < lines.size(); from += lanes) {
    int steps[lanes];
    Signal out[lanes];
    for (size_t lane = 0; lane < lanes; lane++) {
      steps[lane] = from + lane < lines.size() ? lines[from + lane].steps : 0;
      out[lane] = Signal(steps[lane], own);
    }
    const auto place = [&](int lane, int step) { return fromEnd ? steps[lane] - 1 - step : step; };
    run(
      matrix, width, steps, [&](int lane, int step) { return lines[from + size_t(lane)].at(place(lane, step)); },
      [&](int lane, int step, const int16_t *values) { std::copy_n(values, own, out[lane].at(place(lane, step))); });
    for (size_t lane = 0; lane < lanes && from + lane < lines.size(); lane++) lines[from + lane] = std::move(out[lane]);
  }
}

Likelihoods likelihoods(const Matrix &matrix, const Signal &line) {
  Likelihoods out;
  out.steps = line.steps;
  out.codes = matrix.rows;
  out.values.resize(size_t(line.steps) * size_t(matrix.rows));
  Lanes<int16_t> in(matrix.inputsHeld());
  Lanes<float> sums(matrix.rowsHeld());
  // What is so much less likely than the likeliest counts for nothing.
  constexpr float lagMax = 16;
  for (int from = 0; from < line.steps; from += lanes) {
    const int count = std::min(lanes, line.steps - from);
    for (int lane = 0; lane < count; lane++) std::copy_n(line.at(from + lane), line.width, in.lane[lane]);
    matrix.times(in.lane, sums.lane);
    for (int lane = 0; lane < count; lane++) {
      const float *sum = sums.lane[lane], most = *std::max_element(sum, sum + matrix.rows);
      float *to = out.values.data() + size_t(from + lane) * size_t(matrix.rows), total = 0;
      for (int code = 0; code < matrix.rows; code++) {
        to[code] = sum[code] > most - lagMax ? std::exp(sum[code] - most) : 0;
        total += to[code];
      }
      for (int code = 0; code < matrix.rows; code++) to[code] /= total;
    }
  }
  return out;
}

}  // namespace

std::vector<Likelihoods> recognise(const LineModel &model, const std::vector<cv::Mat> &strips) {
  std::vector<Signal> lines;
  for (const cv::Mat &strip : strips) lines.push_back(convolved(model.layers[0], strip));
  for (size_t i = 1; i + 1 < model.layers.size(); i++) {
    const Layer &layer = model.layers[i];
    if (layer.kind == Layer::columns) {
      for (Signal &line : lines) line = columns(layer.matrix, line);
    } else {
      along(layer.matrix, layer.kind == Layer::backward, lines);
    }
  }
  std::vector<Likelihoods> out;
  for (const Signal &line : lines) out.push_back(likelihoods(model.layers.back().matrix, line));
  return out;
}

}  // namespace cvision
