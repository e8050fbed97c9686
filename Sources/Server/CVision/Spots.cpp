// SPDX-License-Identifier: Apache-2.0

#include "Spots.hpp"

#include "Components.hpp"

#include <algorithm>
#include <cmath>

namespace cvision {

namespace {
constexpr size_t spotsMax = 6000;
constexpr int sizeMin = 5, sizeMax = 70;
}  // namespace

std::vector<Spot> findSpots(const cv::Mat &grey) {
  // Wider than two strokes and the paper between them, narrower than a shadow.
  constexpr int window = 31, depth = 10;
  std::vector<Spot> spots;
  for (const Component &part : darkComponents(grey, window, depth)) {
    int longer = std::max(part.width, part.height);
    if (longer < sizeMin || longer > sizeMax || part.area < longer) continue;
    spots.push_back(
      {float(part.left) + float(part.width - 1) / 2, float(part.top) + float(part.height - 1) / 2, float(longer)});
  }
  if (spots.size() > spotsMax) {
    std::nth_element(spots.begin(), spots.begin() + spotsMax, spots.end(), [](const Spot &l, const Spot &r) {
      return l.size > r.size;
    });
    spots.resize(spotsMax);
  }
  return spots;
}

Field::Field(std::vector<Spot> spots, cv::Size size) : list(std::move(spots)) {
  columns = size.width / side + 1, lines = size.height / side + 1;
  auto square = [&](const Spot &spot) { return size_t(int(spot.y) / side * columns + int(spot.x) / side); };
  start.assign(size_t(columns * lines) + 1, 0);
  for (const Spot &spot : list) start[square(spot) + 1]++;
  for (size_t s = 1; s < start.size(); s++) start[s] += start[s - 1];
  std::vector<int> next(start.begin(), start.end() - 1);
  order.resize(list.size());
  for (size_t i = 0; i < list.size(); i++) order[size_t(next[square(list[i])]++)] = int(i);
}

int Field::nearest(double x, double y, double reach, double least, double most) const {
  int left = std::max(0, int((x - reach) / side)), right = std::min(columns - 1, int((x + reach) / side));
  int top = std::max(0, int((y - reach) / side)), bottom = std::min(lines - 1, int((y + reach) / side));
  double best = reach * reach;
  int found = -1;
  for (int line = top; line <= bottom; line++) {
    for (int column = left; column <= right; column++) {
      size_t s = size_t(line * columns + column);
      for (int at = start[s]; at < start[s + 1]; at++) {
        const Spot &spot = list[size_t(order[size_t(at)])];
        if (double(spot.size) < least || double(spot.size) > most) continue;
        double dx = spot.x - x, dy = spot.y - y, distance = dx * dx + dy * dy;
        if (distance < best) best = distance, found = order[size_t(at)];
      }
    }
  }
  return found;
}

void Field::around(int i, double reach, size_t countMax, std::vector<int> &out) const {
  out.clear();
  const Spot &middle = list[size_t(i)];
  auto distance = [&](int j) {
    double dx = list[size_t(j)].x - middle.x, dy = list[size_t(j)].y - middle.y;
    return dx * dx + dy * dy;
  };
  int left = std::max(0, int((middle.x - reach) / side)), right = std::min(columns - 1, int((middle.x + reach) / side));
  int top = std::max(0, int((middle.y - reach) / side)), bottom = std::min(lines - 1, int((middle.y + reach) / side));
  for (int line = top; line <= bottom; line++) {
    for (int column = left; column <= right; column++) {
      size_t s = size_t(line * columns + column);
      for (int at = start[s]; at < start[s + 1]; at++) {
        int j = order[size_t(at)];
        if (j != i && distance(j) <= reach * reach) out.push_back(j);
      }
    }
  }
  size_t kept = std::min(countMax, out.size());
  std::partial_sort(out.begin(), out.begin() + long(kept), out.end(), [&](int l, int r) {
    return distance(l) < distance(r);
  });
  out.resize(kept);
}

}  // namespace cvision
