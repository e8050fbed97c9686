// SPDX-License-Identifier: Apache-2.0

#include "Grids.hpp"

#include "Fit.hpp"
#include "Glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace cvision {

namespace {

double middleX(const Row &row) { return row.x((row.count - 1) / 2.0); }

bool stacked(const Row &upper, const Row &lower) {
  double pitch = (upper.pitch + lower.pitch) / 2, x = (middleX(upper) + middleX(lower)) / 2;
  double gap = lower.y(x) - upper.y(x);
  return std::abs(upper.pitch - lower.pitch) < pitch * 0.12 && gap > pitch * 1.1 && gap < pitch * 3.4
    && std::abs(upper.b - lower.b) < 0.08;
}

/// Which cells along a row, within and beyond what was found of it, show a glyph.
class Presence {
 public:
  static constexpr int beyond = 18;

  Presence(const cv::Mat &grey, const Row &row) : count(row.count) {
    cv::Mat patch;
    float scores[glyphCount];
    for (int k = -beyond; k < count + beyond; k++) {
      double x = row.x(k), y = row.y(x), step = row.pitch + 2 * row.bend * k;
      bool inside = x > 0 && x < grey.cols - 1 && y > 0 && y < grey.rows - 1 && step > row.pitch * 0.5;
      if (!inside) {
        fits.push_back(0);
        continue;
      }
      sample(Bank::coarse(), grey, row, k, 1, patch);
      fits.push_back(correlate(Bank::coarse(), 1, patch, 0, 1, 3, scores));
    }
  }

  float median() const {
    std::vector<float> own(fits.begin() + beyond, fits.end() - beyond);
    auto middle = own.begin() + long(own.size() / 2);
    std::nth_element(own.begin(), middle, own.end());
    return *middle;
  }

  /// Counts cells as shown or not against what a shown one usually fits.
  void settle(float usual) {
    constexpr float paper = 0.38f;
    float half = std::max(0.05f, (usual - paper) / 2), middle = usual - half;
    sums = {0};
    for (float fit : fits) sums.push_back(sums.back() + std::clamp((fit - middle) / half, -1.0f, 1.0f));
  }

  /// The worth of `columns` cells from cell `first` on.
  double worth(int first, int columns) const {
    constexpr int around = 2;
    constexpr double aroundShare = 0.7;
    double inside = sum(first, first + columns);
    return inside - aroundShare * (sum(first - around, first) + sum(first + columns, first + columns + around));
  }

 private:
  int count;
  std::vector<float> fits, sums;

  /// Cells that were not looked at count as empty.
  double sum(int from, int to) const {
    int last = int(fits.size()) - beyond, a = std::clamp(from, -beyond, last), b = std::clamp(to, -beyond, last);
    return double(sums[size_t(b + beyond)] - sums[size_t(a + beyond)]) - ((to - from) - (b - a));
  }
};

struct Found {
  Row row;
  Presence presence;
};

/// Puts rows that may belong together on a common left edge, where they are worth most.
Grid placed(const std::vector<const Found *> &found, int columns) {
  // Rows of a zone are parallel and begin on a line square to them: compare along the rows' direction.
  double slope = 0, edge = 1e9;
  for (const Found *f : found) slope += (f->row.b + 2 * f->row.c * middleX(f->row)) / double(found.size());
  double top = found[0]->row.y(found[0]->row.first);
  std::vector<double> lefts;
  for (const Found *f : found) {
    lefts.push_back(f->row.first + slope * (f->row.y(f->row.first) - top));
    edge = std::min(edge, lefts.back());
  }
  Grid best;
  best.worth = -1e9;
  std::vector<int> bestFirst;
  int longest = 0;
  for (const Found *f : found) longest = std::max(longest, f->row.count);
  for (int start = -columns / 2; start <= longest; start++) {
    double worth = 0;
    std::vector<int> first;
    for (size_t i = 0; i < found.size(); i++) {
      int own = start - int(std::lround((lefts[i] - edge) / found[i]->row.pitch)), chosen = own;
      // Rounding, and a print that is a little off, may put a row one cell beside the others.
      constexpr double asideCost = 1.5;
      double value = found[i]->presence.worth(own, columns);
      for (int aside : {-1, 1}) {
        double other = found[i]->presence.worth(own + aside, columns) - asideCost;
        if (other > value) value = other, chosen = own + aside;
      }
      worth += value;
      first.push_back(chosen);
    }
    if (worth > best.worth) best.worth = worth, bestFirst = first;
  }
  best.columns = columns;
  for (size_t i = 0; i < found.size(); i++) {
    Row row = found[i]->row;
    row.first = found[i]->row.x(bestFirst[i]);
    row.pitch += 2 * row.bend * bestFirst[i];
    row.count = columns;
    row.blobs.clear();
    best.rows.push_back(row);
  }
  return best;
}

Row moved(const Row &row, double down) {
  Row copy = row;
  copy.a += down;
  return copy;
}

}  // namespace

Grid Grid::turnedOver(cv::Size size) const {
  Grid over = *this;
  double right = size.width - 1, bottom = size.height - 1, last = columns - 1;
  std::reverse(over.rows.begin(), over.rows.end());
  for (Row &row : over.rows) {
    Row from = row;
    row.a = bottom - from.a - from.b * right - from.c * right * right;
    row.b = from.b + 2 * from.c * right;
    row.c = -from.c;
    row.first = right - from.x(last);
    row.pitch = from.pitch + 2 * from.bend * last;
    row.bend = -from.bend;
  }
  return over;
}

std::vector<Grid> findGrids(const cv::Mat &grey, double pitch) {
  constexpr int glyphsMin = 14;
  constexpr size_t rowsMax = 6;
  std::vector<Row> rows = findRows(grey, pitch, glyphsMin);
  if (rows.size() > rowsMax) {
    std::sort(rows.begin(), rows.end(), [](const Row &l, const Row &r) { return l.blobs.size() > r.blobs.size(); });
    rows.resize(rowsMax);
    std::sort(rows.begin(), rows.end(), [](const Row &l, const Row &r) { return l.y(middleX(l)) < r.y(middleX(r)); });
  }
  std::vector<Found> found;
  for (const Row &row : rows) found.push_back({row, Presence(grey, row)});
  std::vector<Grid> grids;
  auto add = [&](std::vector<Found *> parts) {
    float usual = 0;
    for (Found *part : parts) usual = std::max(usual, part->presence.median());
    for (Found *part : parts) part->presence.settle(usual);
    std::vector<const Found *> fixed(parts.begin(), parts.end());
    if (parts.size() == 3) grids.push_back(placed(fixed, 30));
    if (parts.size() == 2) grids.push_back(placed(fixed, 36)), grids.push_back(placed(fixed, 44));
  };
  for (size_t i = 0; i < found.size(); i++) {
    for (size_t j = i + 1; j < found.size(); j++) {
      if (!stacked(found[i].row, found[j].row)) continue;
      add({&found[i], &found[j]});
      bool third = false;
      for (size_t k = j + 1; k < found.size(); k++)
        if (stacked(found[j].row, found[k].row)) third = true, add({&found[i], &found[j], &found[k]});
      // The third row of a card may be too worn to be found by itself, and what lies beside a card may lengthen these.
      constexpr int lengthenedMax = 35;
      if (third || std::max(found[i].row.count, found[j].row.count) > lengthenedMax) continue;
      double x = middleX(found[i].row), gap = found[j].row.y(x) - found[i].row.y(x);
      for (bool above : {true, false}) {
        Row row = above ? moved(found[i].row, -gap) : moved(found[j].row, gap);
        Found extra = {row, Presence(grey, row)};
        if (above) add({&extra, &found[i], &found[j]});
        else add({&found[i], &found[j], &extra});
      }
    }
  }
  std::sort(grids.begin(), grids.end(), [](const Grid &l, const Grid &r) { return l.worth > r.worth; });
  return grids;
}

}  // namespace cvision
