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

/// The first layer: `rows` results of each column, one below the other. Beyond the strip's edges nothing is known,
/// which is 0: paper is 1 and ink −1.
Signal convolved(const Layer &layer, const cv::Mat &strip) {
  const int outputs = int(layer.weights.size()) / 10, pool = layer.pool;
  const auto [black, white] = blackAndWhite(strip);
  const float contrast = std::max(1.0F, (white - black) / 2);
  cv::Mat padded(strip.rows + 2, strip.cols + 2, CV_32F, cv::Scalar(0));
  for (int y = 0; y < strip.rows; y++)
    for (int x = 0; x < strip.cols; x++)
      padded.at<float>(y + 1, x + 1) =
        std::clamp((float(strip.at<uint8_t>(y, x)) - black) / contrast - 1, -1.0F, 1.0F);
  const int columns = strip.cols / pool, rows = strip.rows / pool;
  Signal out(columns, rows * outputs);
  std::vector<float> sum(static_cast<size_t>(outputs)), most(static_cast<size_t>(outputs));
  for (int column = 0; column < columns; column++)
    for (int row = 0; row < rows; row++) {
      std::fill(most.begin(), most.end(), -1e9F);
      for (int y = row * pool; y < (row + 1) * pool; y++)
        for (int x = column * pool; x < (column + 1) * pool; x++) {
          const float *weight = layer.weights.data();
          std::copy(weight + 9 * outputs, weight + 10 * outputs, sum.begin());
          for (int across = 0; across < 3; across++)
            for (int down = 0; down < 3; down++, weight += outputs) {
              const float value = padded.at<float>(y + down, x + across);
              for (int i = 0; i < outputs; i++) sum[size_t(i)] += weight[i] * value;
            }
          for (int i = 0; i < outputs; i++) most[size_t(i)] = std::max(most[size_t(i)], sum[size_t(i)]);
        }
      // tanh grows with what it is given: that of the largest is the largest.
      squash(most.data(), outputs, out.at(column) + row * outputs);
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
