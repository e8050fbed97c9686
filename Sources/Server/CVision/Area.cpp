// SPDX-License-Identifier: Apache-2.0

// Means of pixels as OpenCV computes them, with the colours of a pixel beside one another in one register. OpenCV takes
// them one by one, and 12 ms for a photograph of two million pixels.
#include "Area.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace cvision {

namespace {

/// Three colours, and one more that is not used.
typedef float Colours __attribute__((vector_size(16)));
typedef uint8_t Bytes __attribute__((vector_size(4)));

/// How much of a row or column of the picture goes into one of the copy.
struct Share {
  int from;
  float part;
};

/// The shares of each row or column of the copy, one after the other.
struct Shares {
  std::vector<Share> list;
  std::vector<size_t> starts = {0};

  Shares(int source, int target, double scale) {
    constexpr double least = 1e-3;
    for (int i = 0; i < target; i++) {
      const double low = i * scale, high = low + scale, width = std::min(scale, source - low);
      const int last = std::min(int(std::floor(high)), source - 1), first = std::min(int(std::ceil(low)), last);
      if (first - low > least) list.push_back({first - 1, float((first - low) / width)});
      for (int at = first; at < last; at++) list.push_back({at, float(1 / width)});
      if (high - last > least) list.push_back({last, float(std::min(std::min(high - last, 1.0), width) / width)});
      starts.push_back(list.size());
    }
  }
};

/// A row of the picture as wide as the copy. Of `row` and `to` one value more than of their pixels is read and written.
void shrinkRow(const uint8_t *row, const Shares &columns, float *to) {
  for (size_t x = 0; x + 1 < columns.starts.size(); x++, to += 3) {
    Colours sum = {};
    for (size_t at = columns.starts[x]; at < columns.starts[x + 1]; at++) {
      const Share &share = columns.list[at];
      Bytes pixel;
      std::memcpy(&pixel, row + share.from * 3, sizeof pixel);
      sum += __builtin_convertvector(pixel, Colours) * share.part;
    }
    std::memcpy(to, &sum, sizeof sum);
  }
}

}  // namespace

cv::Mat shrunk(const cv::Mat &bgr, cv::Size size, double across, double down) {
  const auto isWhole = [](double scale) {
    return std::abs(scale - std::round(scale)) < std::numeric_limits<double>::epsilon();
  };
  cv::Mat small;
  // OpenCV is fast where both are whole numbers. It is given these and not the size: those that it reckons from a side
  // that was rounded are not whole.
  if (bgr.type() != CV_8UC3 || size.empty() || across < 1 || down < 1 || (isWhole(across) && isWhole(down))) {
    cv::resize(bgr, small, cv::Size(), 1 / across, 1 / down, cv::INTER_AREA);
    return small;
  }
  small.create(size, CV_8UC3);
  const Shares columns(bgr.cols, size.width, across), rows(bgr.rows, size.height, down);
  const size_t count = size_t(size.width) * 3;
  std::vector<uint8_t> source(size_t(bgr.cols) * 3 + 1, 0);
  std::vector<float> line(count + 1), sums(count);
  int loaded = -1;
  for (int y = 0; y < size.height; y++) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (size_t at = rows.starts[size_t(y)]; at < rows.starts[size_t(y) + 1]; at++) {
      const Share &share = rows.list[at];
      // A row that lies in two of the copy comes twice, one after the other.
      if (share.from != loaded) {
        std::memcpy(source.data(), bgr.ptr(share.from), size_t(bgr.cols) * 3);
        shrinkRow(source.data(), columns, line.data());
        loaded = share.from;
      }
      for (size_t i = 0; i < count; i++) sums[i] += share.part * line[i];
    }
    uint8_t *to = small.ptr<uint8_t>(y);
    for (size_t i = 0; i < count; i++) to[i] = cv::saturate_cast<uint8_t>(sums[i]);
  }
  return small;
}

}  // namespace cvision
