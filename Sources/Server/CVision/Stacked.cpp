// SPDX-License-Identifier: Apache-2.0

#include "Stacked.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace cvision {

namespace {

/// Sides of a block of pixels, and the range of light within one from which on it has an edge.
constexpr int block = 8, rangeMin = 24;

/// Modules of the bars and spaces of a start pattern (ISO/IEC 15438 §5.3.2), which are 17 together.
constexpr int bars = 8, modules = 17;
constexpr int pattern[bars] = {8, 1, 1, 1, 1, 1, 1, 3};
/// Places whose ends are this near in rows that are as near are one: ZXing misses up to 26 rows of a symbol.
constexpr int drift = 4, gapMax = 27;
/// Rows from which on ZXing takes a place for a symbol, and what it then searches beside, in rows.
constexpr int rowsMin = 10, besides = 12;

/// Whether the runs are a start pattern to ZXing: of what each run may be too long or too short, and all together. The
/// first may be longer, because ZXing may begin within it.
template <typename Runs>
bool begins(Runs run) {
  // Most are told by two: the first has 7.2 modules at least, and the second 1.8 at most.
  if (run(0) < run(1) * 4) return false;
  int rest = 0;
  for (int i = 1; i < bars; i++) rest += run(i);
  const int first = std::min(run(0), (rest * 8 + 8) / 9), total = first + rest;
  if (total < modules) return false;
  int sum = 0;
  for (int i = 0; i < bars; i++) {
    const int off = std::abs((i == 0 ? first : run(i)) * modules - pattern[i] * total);
    if (off * 10 > total * 8) return false;
    sum += off;
  }
  return sum * 100 < total * modules * 42;
}

/// The places of one direction, by the column at which their last pattern ended.
class Places {
 public:
  explicit Places(int width) : _ends(width + 1) {}

  /// What the pattern that ends in this row at this column adds.
  long add(int row, int column) {
    const int to = std::min(int(_ends.size()) - 1, column + drift);
    End found;
    for (int x = std::max(0, column - drift); x <= to; x++)
      if (_ends[x].row > found.row) found = _ends[x];
    const int gap = row - found.row;
    if (found.row < 0 || gap > gapMax) found.rows = 0;
    const int before = found.rows;
    const int rows = before == 0 ? 1 : before + gap;
    _ends[column] = {row, std::max(rows, 1)};
    if (rows < rowsMin) return 0;
    return before < rowsMin ? rows + besides : gap;
  }

 private:
  struct End {
    int row = -1, rows = 0;
  };
  std::vector<End> _ends;
};

/// In rows as they lie, from left to right and from right to left.
long rowsAcross(const cv::Mat &ink, long most) {
  Places ahead(ink.cols), back(ink.cols);
  std::vector<int> edges(ink.cols + 1);
  long sum = 0;
  for (int y = 0; y < ink.rows && sum <= most; y++) {
    const uint8_t *row = ink.ptr<uint8_t>(y);
    int count = 0;
    edges[count++] = 0;
    for (int x = 1; x < ink.cols; x++) {
      edges[count] = x;
      count += row[x] != row[x - 1];
    }
    edges[count] = ink.cols;
    bool isBlack = row[0] == 0;
    for (int i = 0; i + bars <= count; i++, isBlack = !isBlack) {
      const int *at = &edges[i];
      if (isBlack) {
        if (begins([at](int k) { return at[k + 1] - at[k]; })) sum += ahead.add(y, at[bars]);
      } else {
        if (begins([at](int k) { return at[bars - k] - at[bars - 1 - k]; })) sum += back.add(y, at[0]);
      }
    }
  }
  return sum;
}

}  // namespace

void blacken(cv::Mat &grey) {
  const int across = (grey.cols + block - 1) / block, down = (grey.rows + block - 1) / block;
  const auto left = [&](int x) { return std::min(x * block, grey.cols - block); };
  const auto top = [&](int y) { return std::min(y * block, grey.rows - block); };
  cv::Mat_<int> dark(down, across);
  for (int y = 0; y < down; y++)
    for (int x = 0; x < across; x++) {
      int sum = 0;
      uint8_t least = 255, most = 0;
      for (int yy = 0; yy < block; yy++) {
        const uint8_t *row = grey.ptr<uint8_t>(top(y) + yy) + left(x);
        for (int xx = 0; xx < block; xx++) {
          sum += row[xx];
          least = std::min(least, row[xx]);
          most = std::max(most, row[xx]);
        }
      }
      int &point = dark(y, x);
      point = sum / (block * block);
      if (most - least > rangeMin) continue;
      // A block without an edge is paper, or the inside of a bar if those before it are lighter than it.
      point = least / 2;
      if (x == 0 || y == 0) continue;
      const int beside = (dark(y - 1, x) + 2 * dark(y, x - 1) + dark(y - 1, x - 1)) / 4;
      if (least < beside) point = beside;
    }
  // The last blocks overlap those before them, whose pixels are not grey any more.
  cv::Mat ink(grey.size(), CV_8U);
  for (int y = 0; y < down; y++)
    for (int x = 0; x < across; x++) {
      const int cx = std::clamp(x, 2, across - 3), cy = std::clamp(y, 2, down - 3);
      int sum = 0;
      for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) sum += dark(cy + dy, cx + dx);
      const int threshold = sum / 25;
      for (int yy = 0; yy < block; yy++) {
        const uint8_t *from = grey.ptr<uint8_t>(top(y) + yy) + left(x);
        uint8_t *to = ink.ptr<uint8_t>(top(y) + yy) + left(x);
        for (int xx = 0; xx < block; xx++) to[xx] = from[xx] <= threshold ? 0 : 255;
      }
    }
  grey = ink;
}

long startRows(const cv::Mat &ink, long most) {
  const long across = rowsAcross(ink, most);
  if (across > most) return across;
  cv::Mat turned;
  cv::transpose(ink, turned);
  return across + rowsAcross(turned, most - across);
}

}  // namespace cvision
