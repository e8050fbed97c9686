// SPDX-License-Identifier: Apache-2.0

#include "Components.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cvision {

namespace {

/// The picture's rows after smoothing with 1 2 1 in both directions; rows and columns are mirrored at the edges.
class Smooth {
 public:
  explicit Smooth(const cv::Mat &picture) : grey(picture), sums(size_t(picture.cols)) {}

  void row(int y, uint8_t *out) {
    const int last = grey.rows - 1;
    const int before = y > 0 ? y - 1 : std::min(1, last), after = y < last ? y + 1 : std::max(0, last - 1);
    const uint8_t *a = grey.ptr(before), *b = grey.ptr(y), *c = grey.ptr(after);
    const int width = grey.cols;
    uint16_t *sum = sums.data();
    for (int x = 0; x < width; x++) sum[x] = uint16_t(a[x] + 2 * b[x] + c[x]);
    const auto blend = [&](int left, int x, int right) {
      return uint8_t((sum[left] + 2 * sum[x] + sum[right] + 8) >> 4);
    };
    for (int x = 1; x < width - 1; x++) out[x] = blend(x - 1, x, x + 1);
    out[0] = blend(std::min(1, width - 1), 0, std::min(1, width - 1));
    if (width > 1) out[width - 1] = blend(width - 2, width - 1, width - 2);
  }

 private:
  const cv::Mat &grey;
  std::vector<uint16_t> sums;
};

/// Sums of `window` pixels beside one another; the edges' pixels count for those beyond them.
void boxSums(const uint8_t *row, int width, int window, std::vector<uint16_t> &running, uint16_t *out) {
  // Differences of running sums are right although the sums themselves overflow.
  const int half = window / 2;
  uint16_t *to = running.data(), sum = 0;
  *to++ = 0;
  for (int i = 0; i < half; i++) *to++ = sum = uint16_t(sum + row[0]);
  for (int i = 0; i < width; i++) *to++ = sum = uint16_t(sum + row[i]);
  for (int i = 0; i < half; i++) *to++ = sum = uint16_t(sum + row[width - 1]);
  const uint16_t *from = running.data();
  for (int x = 0; x < width; x++) out[x] = uint16_t(from[x + window] - from[x]);
}

/// Boxes of runs that touch; labels lead to the first one of their component.
class Labels {
 public:
  int add(int y, const Run &run) {
    parts.push_back({run.from, y, run.to, y, run.to - run.from, place(y, run), int(parts.size())});
    return int(parts.size()) - 1;
  }

  void extend(int label, int y, const Run &run) {
    Part &part = parts[size_t(root(label))];
    part.left = std::min(part.left, run.from), part.right = std::max(part.right, run.to), part.bottom = y;
    part.area += run.to - run.from;
    part.order = std::min(part.order, place(y, run));
  }

  int joined(int a, int b) {
    a = root(a), b = root(b);
    if (a == b) return a;
    if (b < a) std::swap(a, b);
    Part &kept = parts[size_t(a)], &other = parts[size_t(b)];
    kept.left = std::min(kept.left, other.left), kept.right = std::max(kept.right, other.right);
    kept.top = std::min(kept.top, other.top), kept.bottom = std::max(kept.bottom, other.bottom);
    kept.area += other.area, kept.order = std::min(kept.order, other.order);
    other.root = a;
    return a;
  }

  /// Joins the runs of row `y` with those above that touch them, and gives each a label.
  void connect(int y, const Run *above, const Run *aboveEnd, Run *here, const Run *hereEnd) {
    for (Run *run = here; run != hereEnd; run++) {
      while (above != aboveEnd && above->to < run->from) above++;
      run->label = -1;
      for (const Run *other = above; other != aboveEnd && other->from <= run->to; other++)
        run->label = run->label < 0 ? other->label : joined(run->label, other->label);
      if (run->label < 0) run->label = add(y, *run);
      else extend(run->label, y, *run);
    }
  }

  std::vector<Component> components() {
    std::vector<Part *> whole;
    for (size_t i = 0; i < parts.size(); i++)
      if (parts[i].root == int(i)) whole.push_back(&parts[i]);
    std::sort(whole.begin(), whole.end(), [](const Part *l, const Part *r) { return l->order < r->order; });
    std::vector<Component> found;
    found.reserve(whole.size());
    for (Part *part : whole) {
      part->number = int(found.size());
      found.push_back(
        {part->left, part->top, part->right - part->left, part->bottom - part->top + 1, part->area});
    }
    return found;
  }

  /// The number of a label's component among `components`, which must have been called.
  int number(int label) { return parts[size_t(root(label))].number; }

 private:
  struct Part {
    int left, top, right, bottom, area;
    /// Components are numbered by the first square of 2 × 2 pixels, row by row, that holds one of their pixels.
    int64_t order;
    int root, number = 0;
  };
  std::vector<Part> parts;

  static int64_t place(int y, const Run &run) { return int64_t(y / 2) << 32 | run.from / 2; }

  int root(int label) {
    while (parts[size_t(label)].root != label) {
      int &up = parts[size_t(label)].root;
      up = parts[size_t(up)].root;
      label = up;
    }
    return label;
  }
};

/// Appends the runs of a row, where any byte but 0 is dark; the byte behind the row is 0, and seven more may be read.
void findRuns(const uint8_t *dark, int width, std::vector<Run> &out) {
  for (int x = 0; x < width;) {
    uint64_t eight;
    std::memcpy(&eight, dark + x, sizeof eight);
    if (eight == 0) {
      x += 8;
      continue;
    }
    while (!dark[x]) x++;
    if (x >= width) break;
    const int from = x;
    while (dark[x]) x++;
    out.push_back({from, x, -1});
  }
}

}  // namespace

Parts::Parts(const cv::Mat &mask) {
  std::vector<uint8_t> dark(size_t(mask.cols) + 8, 0);
  Labels labels;
  starts = {0};
  size_t above = 0;
  for (int y = 0; y < mask.rows; y++) {
    std::memcpy(dark.data(), mask.ptr(y), size_t(mask.cols));
    const size_t here = runs.size();
    findRuns(dark.data(), mask.cols, runs);
    labels.connect(y, runs.data() + above, runs.data() + here, runs.data() + here, runs.data() + runs.size());
    above = here;
    starts.push_back(runs.size());
  }
  found = labels.components();
  for (Run &run : runs) run.label = labels.number(run.label);
}

std::vector<Component> darkComponents(const cv::Mat &grey, int window, int depth) {
  const int width = grey.cols, height = grey.rows, half = window / 2;
  if (width == 0 || height == 0) return {};
  // Rows of smoothed pixels and of their sums, as many as a window is high.
  std::vector<uint8_t> pixels(size_t(window) * size_t(width)), dark(size_t(width) + 8, 0);
  std::vector<uint16_t> across(size_t(window) * size_t(width)), running(size_t(width + window));
  std::vector<int32_t> sums(size_t(width), 0);
  Smooth smooth(grey);
  const auto pixelsOf = [&](int y) { return pixels.data() + size_t(y % window) * size_t(width); };
  const auto acrossOf = [&](int y) { return across.data() + size_t(y % window) * size_t(width); };
  const auto add = [&](int y, int times) {
    const uint16_t *from = acrossOf(y);
    int32_t *to = sums.data();
    for (int x = 0; x < width; x++) to[x] += times * from[x];
  };
  int known = 0;
  const auto load = [&](int y) {
    smooth.row(y, pixelsOf(y));
    boxSums(pixelsOf(y), width, window, running, acrossOf(y));
    known = y + 1;
  };

  Labels labels;
  std::vector<Run> above, here;
  const int32_t area = window * window;
  for (int y = 0; y < height; y++) {
    if (y == 0) {
      for (int i = 0; i <= half; i++) {
        const int row = std::min(i, height - 1);
        if (row >= known) load(row);
        add(row, i == 0 ? half + 1 : 1);
      }
    } else {
      // The row that leaves the window goes first: the one that comes takes its place.
      add(std::max(0, y - 1 - half), -1);
      const int row = std::min(y + half, height - 1);
      if (row >= known) load(row);
      add(row, 1);
    }
    const uint8_t *pixel = pixelsOf(y);
    // The rounded mean is at least pixel + depth; an odd area has no ties.
    for (int x = 0; x < width; x++) dark[size_t(x)] = 2 * sums[size_t(x)] > area * (2 * (pixel[x] + depth) - 1);
    here.clear();
    findRuns(dark.data(), width, here);
    labels.connect(y, above.data(), above.data() + above.size(), here.data(), here.data() + here.size());
    std::swap(above, here);
  }
  return labels.components();
}

}  // namespace cvision
