// SPDX-License-Identifier: Apache-2.0

#include "Seek.hpp"

#include "Spots.hpp"

#include <algorithm>
#include <cmath>

namespace cvision {

cv::Point2d Trail::at(double k) const {
  double half = std::max(1.0, (high - low) / 2), t = (std::clamp(k, low, high) - low) / half - 1;
  cv::Point2d place(0, 0);
  for (int j = terms - 1; j >= 0; j--) place = place * t + cv::Point2d(x[j], y[j]);
  double beyond = k - std::clamp(k, low, high);
  return beyond == 0 ? place : place + step(k) * beyond;
}

cv::Point2d Trail::step(double k) const {
  double half = std::max(1.0, (high - low) / 2), t = (std::clamp(k, low, high) - low) / half - 1;
  cv::Point2d rate(0, 0);
  for (int j = terms - 1; j > 0; j--) rate = rate * t + cv::Point2d(x[j], y[j]) * j;
  return rate * (1 / half);
}

namespace {

constexpr int membersMin = 12, gapMax = 5;
/// The longest line has 44 characters, and dust or print may stand beside it. Longer rows are of a pattern.
constexpr size_t membersMax = 56;
/// Rows of even marks so near one another: a zone has three, and a few lines of print may be near. More are a pattern.
constexpr size_t besideMax = 6;
/// Steps of all rows together: what bounds the time on pictures that are full of specks.
constexpr int stepsMax = 250'000;

struct Member {
  int k, spot;
};

/// Grows rows from three spots at even steps, one glyph after the other, along whatever curve they follow.
class Grower {
 public:
  explicit Grower(const Field &field) : field(field), used(field.spots().size(), false) {}

  std::vector<std::vector<Member>> rows() {
    std::vector<std::vector<Member>> found;
    std::vector<int> near;
    int count = int(field.spots().size());
    for (int i = 0; i < count && steps < stepsMax; i++) {
      if (used[size_t(i)]) continue;
      const Spot &middle = spot(i);
      field.around(i, middle.size * 2.0, 12, near);
      for (int j : near) {
        const Spot &to = spot(j);
        if (to.size < middle.size * 0.5f || to.size > middle.size * 2 || used[size_t(j)]) continue;
        double dx = to.x - middle.x, dy = to.y - middle.y, length = std::hypot(dx, dy);
        if (length < middle.size * 0.6 || length < to.size * 0.6) continue;
        steps++;
        int back = field.nearest(middle.x - dx, middle.y - dy, length * 0.3, middle.size * 0.5, middle.size * 2);
        if (back < 0 || back == j || used[size_t(back)]) continue;
        std::vector<Member> row = {{-1, back}, {0, i}, {1, j}};
        grow(row, 1);
        if (row.size() < 5) continue;
        std::reverse(row.begin(), row.end());
        grow(row, -1);
        std::reverse(row.begin(), row.end());
        int span = row.back().k - row.front().k + 1;
        if (row.size() < membersMin || int(row.size()) * 10 < span * 6) continue;
        for (const Member &member : row) used[size_t(member.spot)] = true;
        if (row.size() <= membersMax) found.push_back(row);
        break;
      }
    }
    return found;
  }

 private:
  const Field &field;
  std::vector<bool> used;
  int steps = 0;

  const Spot &spot(int i) const { return field.spots()[size_t(i)]; }

  /// Appends members in direction `way` of k until no glyph stands where the last ones say that one should.
  void grow(std::vector<Member> &row, int way) {
    while (steps < stepsMax && row.size() < 120) {
      // A line through the last members says where the row goes on.
      size_t tail = std::min<size_t>(row.size(), 8);
      double n = double(tail), k = 0, kk = 0, x = 0, y = 0, kx = 0, ky = 0, size = 0;
      for (size_t i = row.size() - tail; i < row.size(); i++) {
        const Spot &s = spot(row[i].spot);
        double t = row[i].k - row.back().k;
        k += t, kk += t * t, x += s.x, y += s.y, kx += t * s.x, ky += t * s.y, size += s.size;
      }
      double under = n * kk - k * k, sx = (n * kx - k * x) / under, sy = (n * ky - k * y) / under;
      double x0 = (x - sx * k) / n, y0 = (y - sy * k) / n, pitch = std::hypot(sx, sy);
      size /= n;
      if (pitch < size * 0.55 || pitch > size * 2.2) return;
      int next = -1, gap = 1, limit = row.size() < 6 ? 2 : row.size() < 12 ? 3 : gapMax;
      for (; gap <= limit; gap++) {
        steps++;
        double reach = pitch * (0.3 + 0.04 * (gap - 1));
        next = field.nearest(x0 + sx * gap * way, y0 + sy * gap * way, reach, size * 0.5, size * 1.7);
        if (next >= 0 && next != row.back().spot) break;
        next = -1;
      }
      if (next < 0 || used[size_t(next)]) return;
      row.push_back({row.back().k + gap * way, next});
    }
  }
};

/// Least squares of a polynomial in t of so many coefficients, by normal equations.
void fit(const std::vector<double> &t, const std::vector<double> &v, int terms, double out[Trail::terms]) {
  cv::Mat left(int(t.size()), terms, CV_64F), right(int(t.size()), 1, CV_64F), solution;
  for (int i = 0; i < int(t.size()); i++) {
    double power = 1;
    for (int j = 0; j < terms; j++, power *= t[size_t(i)]) left.at<double>(i, j) = power;
    right.at<double>(i) = v[size_t(i)];
  }
  cv::solve(left, right, solution, cv::DECOMP_NORMAL | cv::DECOMP_CHOLESKY);
  for (int j = 0; j < Trail::terms; j++) out[j] = j < terms ? solution.at<double>(j) : 0;
}

/// The curve through the members, without those that stand off it.
bool smooth(const std::vector<Member> &row, const Field &field, Trail &trail) {
  trail.low = row.front().k, trail.high = row.back().k;
  double half = (trail.high - trail.low) / 2;
  std::vector<bool> kept(row.size(), true);
  for (int round = 0; round < 2; round++) {
    std::vector<double> t, x, y;
    for (size_t i = 0; i < row.size(); i++) {
      if (!kept[i]) continue;
      const Spot &s = field.spots()[size_t(row[i].spot)];
      t.push_back((row[i].k - trail.low) / half - 1), x.push_back(s.x), y.push_back(s.y);
    }
    if (t.size() < membersMin) return false;
    int terms = t.size() >= 34 ? 6 : t.size() >= 24 ? 4 : 3;
    fit(t, x, terms, trail.x), fit(t, y, terms, trail.y);
    double pitch = trail.pitch();
    for (size_t i = 0; i < row.size(); i++) {
      const Spot &s = field.spots()[size_t(row[i].spot)];
      kept[i] = cv::norm(trail.at(row[i].k) - cv::Point2d(s.x, s.y)) < pitch * 0.28;
    }
  }
  trail.glyphs = int(std::count(kept.begin(), kept.end(), true));
  return trail.glyphs >= membersMin && trail.pitch() > 3;
}

Trail reversed(const Trail &trail) {
  Trail copy = trail;
  for (int j = 1; j < Trail::terms; j += 2) copy.x[j] = -copy.x[j], copy.y[j] = -copy.y[j];
  copy.low = -trail.high, copy.high = -trail.low;
  return copy;
}

/// Whether `other` runs beside `base` at the distance of two lines of a zone, or of one with a third between them; then
/// it is turned to run the same way.
bool beside(const Trail &base, Trail &other, double pitchesMax) {
  cv::Point2d middle = other.at((other.low + other.high) / 2), along = other.step((other.low + other.high) / 2);
  // The place on the base that is nearest to the other's middle.
  double k = (base.low + base.high) / 2;
  for (int i = 0; i < 4; i++) {
    cv::Point2d step = base.step(k);
    k += step.dot(middle - base.at(k)) / std::max(1e-6, step.dot(step));
    k = std::clamp(k, base.low - 12, base.high + 12);
  }
  cv::Point2d step = base.step(k), off = middle - base.at(k);
  double pitch = cv::norm(step), otherPitch = cv::norm(along);
  if (std::abs(otherPitch - pitch) > pitch * 0.2) return false;
  double cosine = step.dot(along) / (pitch * otherPitch);
  if (std::abs(cosine) < 0.97) return false;
  double distance = std::abs(step.cross(off)) / pitch;
  if (distance < pitch * 1.1 || distance > pitch * pitchesMax) return false;
  if (k < base.low - 6 || k > base.high + 6) return false;
  if (cosine < 0) other = reversed(other);
  return true;
}

/// Appends the members of `other` when it goes on where `row` ends, on the same line and at the same pitch.
bool join(std::vector<Member> &row, Trail &trail, const std::vector<Member> &other, Trail next, const Field &field) {
  constexpr double gapJoined = 14;
  double pitch = trail.pitch();
  if (std::abs(next.pitch() - pitch) > pitch * 0.15) return false;
  cv::Point2d along = trail.step((trail.low + trail.high) / 2), way = next.step((next.low + next.high) / 2);
  if (std::abs(along.dot(way)) < 0.96 * cv::norm(along) * cv::norm(way)) return false;
  bool turned = along.dot(way) < 0;
  if (turned) next = reversed(next);
  bool after = along.dot(next.at(next.low) - trail.at(trail.low)) > 0;
  double end = after ? trail.high : trail.low, start = after ? next.low : next.high;
  cv::Point2d step = trail.step(end), off = next.at(start) - trail.at(end);
  double gap = step.dot(off) / step.dot(step), aside = std::abs(step.cross(off)) / step.dot(step);
  if ((after ? gap : -gap) < 0.5 || std::abs(gap) > gapJoined || aside > 0.35 + 0.05 * std::abs(gap)) return false;
  int shift = int(std::lround(end + gap - start));
  std::vector<Member> whole = row;
  for (const Member &member : other) whole.push_back({(turned ? -member.k : member.k) + shift, member.spot});
  std::sort(whole.begin(), whole.end(), [](const Member &l, const Member &r) { return l.k < r.k; });
  Trail longer;
  if (!smooth(whole, field, longer) || longer.glyphs < trail.glyphs + next.glyphs - 3) return false;
  row = whole, trail = longer;
  return true;
}

}  // namespace

std::vector<Lane> seekLanes(const cv::Mat &grey, size_t lanesMax) {
  Field field(findSpots(grey), grey.size());
  std::vector<std::pair<Trail, std::vector<Member>>> pieces;
  for (const auto &row : Grower(field).rows()) {
    Trail trail;
    if (smooth(row, field, trail)) pieces.push_back({trail, row});
  }
  std::sort(pieces.begin(), pieces.end(), [](const auto &l, const auto &r) { return l.first.glyphs > r.first.glyphs; });
  constexpr size_t trailsMax = 60;
  if (pieces.size() > trailsMax) pieces.resize(trailsMax);
  // What breaks a row, a stain or a line of the ground, leaves pieces of it.
  for (size_t i = 0; i < pieces.size(); i++) {
    for (size_t j = i + 1; j < pieces.size();) {
      bool joined = join(pieces[i].second, pieces[i].first, pieces[j].second, pieces[j].first, field);
      if (joined) pieces.erase(pieces.begin() + long(j));
      j = joined ? i + 1 : j + 1;
    }
  }
  std::sort(pieces.begin(), pieces.end(), [](const auto &l, const auto &r) { return l.first.glyphs > r.first.glyphs; });
  std::vector<Trail> trails;
  for (const auto &piece : pieces) trails.push_back(piece.first);
  std::vector<bool> taken(trails.size(), false);
  std::vector<std::pair<int, Lane>> lanes;
  for (size_t i = 0; i < trails.size(); i++) {
    if (taken[i]) continue;
    Lane lane = {trails[i]};
    int glyphs = trails[i].glyphs;
    size_t near = 0;
    for (size_t j = i + 1; j < trails.size(); j++) {
      Trail other = trails[j];
      if (taken[j] || !beside(trails[i], other, 6.8)) continue;
      near++;
      if (lane.size() == 5) continue;
      taken[j] = true;
      lane.push_back(other);
      glyphs += other.glyphs;
    }
    if (near <= besideMax) lanes.push_back({glyphs, lane});
  }
  std::sort(lanes.begin(), lanes.end(), [](const auto &l, const auto &r) { return l.first > r.first; });
  std::vector<Lane> best;
  // Of a zone more than this is found, even where it is worn; the likeliest lanes are worth a look with less.
  constexpr int glyphsMin = 28;
  constexpr size_t likeliest = 3;
  for (const auto &[glyphs, lane] : lanes)
    if (best.size() < likeliest || (best.size() < lanesMax && glyphs >= glyphsMin)) best.push_back(lane);
  return best;
}

}  // namespace cvision
