// SPDX-License-Identifier: Apache-2.0

#include "Fit.hpp"
#include "Glyphs.hpp"
#include "Grids.hpp"
#include "Guard.hpp"
#include "Seek.hpp"
#include "Strip.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

using namespace cvision;

namespace {

/// Below this mean fit nothing is a zone; above the other one no better place is looked for.
constexpr float fitMin = 0.45f, fitGood = 0.8f;

/// Mean fit of a spread of cells, to choose the blur and the side that is up. `shift` is how far down glyphs stand.
float probe(const Bank &bank, const cv::Mat &grey, const Grid &grid, size_t level, double scale, int &shift) {
  float total = 0, scores[glyphCount];
  cv::Mat patch;
  std::vector<int> shifts;
  for (const Row &row : grid.rows) {
    for (int k = 1; k < grid.columns; k += 4) {
      int down = 0;
      sample(bank, grey, row, k, scale, patch);
      total += correlate(bank, level, patch, 0, 1, bank.slackY, scores, &down);
      shifts.push_back(down);
    }
  }
  auto middle = shifts.begin() + long(shifts.size() / 2);
  std::nth_element(shifts.begin(), middle, shifts.end());
  shift = *middle;
  return total / float(shifts.size());
}

/// A zone with the fit of every glyph in every cell.
struct Measured : cvision_zone {
  /// Whether it was not measured to its end, because its first cells show a pattern.
  bool isPattern;
  float scores[CVISION_ZONE_ROWS][CVISION_ZONE_COLUMNS][CVISION_ZONE_GLYPHS];
};

/// A copy in which print is as dark everywhere: the edge of a reflection is taken for strokes otherwise.
cv::Mat evened(const cv::Mat &grey) {
  constexpr int stroke = int(Strip::pitch * 0.6) | 1, around = int(Strip::pitch * 1.5) | 1;
  cv::Mat paper, ink, darkest, even;
  cv::morphologyEx(grey, paper, cv::MORPH_CLOSE, cv::getStructuringElement(cv::MORPH_RECT, {stroke, stroke}));
  cv::blur(paper, paper, {stroke, stroke});
  cv::subtract(paper, grey, ink);
  cv::dilate(ink, darkest, cv::getStructuringElement(cv::MORPH_RECT, {around, around}));
  cv::blur(darkest, darkest, {around, around});
  // Less than this is noise.
  cv::max(darkest, 12, darkest);
  cv::divide(ink, darkest, even, 200);
  return 255 - even;
}

/// How far the best glyph of a cell leads the next one.
struct Lead {
  float best = -1, second = -1;
  int kind = 0;

  explicit Lead(const float *scores) {
    for (int glyph = 0; glyph < glyphCount; glyph++) {
      if (scores[glyph] > best) second = best, best = scores[glyph], kind = glyph;
      else second = std::max(second, scores[glyph]);
    }
  }

  /// Marks of a pattern fit several glyphs equally well.
  bool isClear() const { return best - second >= 0.035f; }
};

/// Fits every cell. `zone.fit` stays 0 for what the first cells show to be a pattern, by far worse than what
/// `showsGlyphs` takes for a zone: measuring patterns takes longer than zones, for their cells are looked at twice.
void measure(const cv::Mat &grey, const Grid &grid, size_t level, double scale, int shift, Measured &zone) {
  constexpr float clearFit = 0.85f, better = 0.02f, patternFitMost = 0.86f, patternClearMost = 0.4f;
  constexpr int spread = 4;
  float total = 0, again[glyphCount];
  int count = 0, clear = 0;
  cv::Mat patch, even;
  auto cell = [&](size_t r, int k) {
    float *scores = zone.scores[r][k];
    sample(Bank::fine(), grey, grid.rows[r], k, scale, patch);
    float fit = correlate(Bank::fine(), level, patch, shift, 3, 2, scores);
    if (fit < clearFit) {
      if (even.empty()) even = evened(grey);
      sample(Bank::fine(), even, grid.rows[r], k, scale, patch);
      float other = correlate(Bank::fine(), level, patch, shift, 3, 2, again);
      if (other > fit + better) fit = other, std::copy(again, again + glyphCount, scores);
    }
    total += fit, count++, clear += Lead(scores).isClear();
  };
  for (int first = 0; first < spread; first++) {
    for (size_t r = 0; r < grid.rows.size(); r++)
      for (int k = first; k < grid.columns; k += spread) cell(r, k);
    zone.isPattern =
      first == 0 && total < patternFitMost * float(count) && float(clear) < patternClearMost * float(count);
    if (zone.isPattern) return;
  }
  zone.rows = int(grid.rows.size());
  zone.columns = grid.columns;
  zone.fit = total / float(zone.rows * zone.columns);
}

/// A row of `columns` cells that is moved along itself to where its glyphs are.
Row shifted(const cv::Mat &grey, Row row, int columns, size_t level, double scale, int shift) {
  constexpr float glyphMin = 0.75f, better = 0.25f;
  constexpr int movesMax = 2;
  float scores[glyphCount];
  cv::Mat patch;
  auto fit = [&](int k) {
    sample(Bank::fine(), grey, row, k, scale, patch);
    return correlate(Bank::fine(), level, patch, shift, 3, 2, scores);
  };
  for (int step : {1, -1}) {
    int taken = step > 0 ? columns : -1, left = step > 0 ? 0 : columns - 1;
    for (int move = 0; move < movesMax; move++) {
      double x = row.x(taken), y = row.y(x);
      if (x <= 0 || x >= grey.cols - 1 || y <= 0 || y >= grey.rows - 1) break;
      float shown = fit(taken);
      if (shown < glyphMin || shown - fit(left) < better) break;
      row.first = row.x(step);
      row.pitch += 2 * row.bend * step;
    }
  }
  return row;
}

/// How far apart the rows begin, in pitches, measured along them.
double raggedness(const Grid &grid) {
  double slope = 0, low = 1e9, high = -1e9;
  for (const Row &row : grid.rows)
    slope += (row.b + 2 * row.c * row.x(grid.columns / 2.0)) / double(grid.rows.size());
  for (const Row &row : grid.rows) {
    const double begin = row.first + slope * row.y(row.first);
    low = std::min(low, begin), high = std::max(high, begin);
  }
  return (high - low) / grid.rows.front().pitch;
}

/// The same grid with each row where its glyphs are: what was found of a row may lack an end, or have a speck before
/// it, and then its cells stand one beside where they belong. The shapes of the glyphs say more of that than their
/// presence.
/// Rows of a zone begin on one line: where a finger hides the first character of a row and print follows its end, only
/// that tells that the row stays.
Grid aligned(const cv::Mat &grey, const Grid &grid, size_t level, double scale, int shift) {
  constexpr double apart = 0.25;
  std::vector<std::pair<size_t, Row>> moved;
  for (size_t i = 0; i < grid.rows.size(); i++) {
    const Row row = shifted(grey, grid.rows[i], grid.columns, level, scale, shift);
    if (row.first != grid.rows[i].first) moved.push_back({i, row});
  }
  Grid best = grid;
  double least = raggedness(grid);
  // Every choice of the rows that may move; of those that begin as evenly the last one, at the end all of them.
  for (unsigned chosen = 1; chosen < 1u << moved.size(); chosen++) {
    Grid other = grid;
    for (size_t i = 0; i < moved.size(); i++)
      if (chosen >> i & 1) other.rows[moved[i].first] = moved[i].second;
    const double uneven = raggedness(other);
    if (uneven <= least + apart) least = std::min(least, uneven), best = other;
  }
  return best;
}

/// Corners of the zone in the picture, from its own top left on.
void place(const Strip &strip, const Grid &grid, cvision_zone &zone) {
  const Row &first = grid.rows.front(), &last = grid.rows.back();
  auto put = [&](int i, const Row &row, double k, double side) {
    double x = row.x(k);
    cv::Point2d corner = strip.place(x, row.y(x) + side * row.pitch);
    zone.quad.x[i] = float(corner.x), zone.quad.y[i] = float(corner.y);
  };
  put(0, first, -0.8, -0.9), put(1, first, grid.columns - 0.2, -0.9);
  put(2, last, grid.columns - 0.2, 0.9), put(3, last, -0.8, 0.9);
  double length = std::hypot(zone.quad.x[1] - zone.quad.x[0], zone.quad.y[1] - zone.quad.y[0]);
  zone.pitch = float(length / (grid.columns + 0.6));
}

/// Whether the cells look like glyphs rather than like a pattern of the ground, every mark of which is the same blot:
/// it fits several glyphs equally well, and few different ones. Numbers and dates alone have more. Strong blur leaves
/// glyphs alike too, but many of them, and its templates fit them well.
bool showsGlyphs(const Measured &zone) {
  constexpr float blurredFitMin = 0.9f;
  constexpr int leadingMin = 2, blurredLeadingMin = 4;  // one cell in so many
  constexpr size_t kindsMin = 7, blurredKindsMin = 12;
  int leading = 0;
  std::set<int> kinds;
  for (int r = 0; r < zone.rows; r++) {
    for (int k = 0; k < zone.columns; k++) {
      const Lead lead(zone.scores[r][k]);
      leading += lead.isClear();
      kinds.insert(lead.kind);
    }
  }
  const bool isBlurred = zone.fit >= blurredFitMin && kinds.size() >= blurredKindsMin;
  const int shareMin = isBlurred ? blurredLeadingMin : leadingMin;
  return leading * shareMin >= zone.rows * zone.columns && kinds.size() >= kindsMin;
}

/// How the glyphs of a grid are best looked at, the way it stands in the strip.
struct Look {
  size_t level = 0;
  double scale = 1;
  int shift = 0;
  /// Mean fit of a spread of cells, which is within some hundredths of that of all.
  float fit = -1;

  Look() = default;
  Look(const cv::Mat &grey, const Grid &grid) {
    float best = -1;
    int down = 0;
    for (size_t tried = 0; tried < Bank::coarse().levels.size(); tried++) {
      const float found = probe(Bank::coarse(), grey, grid, tried, 1, down);
      if (found > best) best = found, level = tried;
    }
    for (double tried : {1.0, 0.9, 1.1}) {
      const float found = probe(Bank::fine(), grey, grid, level, tried, down);
      if (found > fit) fit = found, scale = tried, shift = down;
    }
  }
};

/// Reads a grid with whichever side is up; `fit` stays 0 where it shows no glyphs, or where its look fits less than
/// `least`.
Measured readGrid(Strip &strip, const Grid &grid, float least = fitMin) {
  const Grid sides[2] = {grid, grid.turnedOver(strip.grey.size())};
  float fits[2];
  int shift = 0;
  for (int side : {0, 1}) {
    fits[side] = probe(Bank::coarse(), strip.grey, sides[side], 1, 1, shift);
    strip.turnOver();
  }
  // A zone on its head still fits rather well: half of the glyphs have a twin among the others, turned over.
  constexpr float unclear = 0.04f;
  Look looks[2];
  for (int side : {0, 1}) {
    if (fits[side] >= fits[1 - side] - unclear) looks[side] = Look(strip.grey, sides[side]);
    strip.turnOver();
  }
  Measured best = {};
  bool isPattern = false;
  for (int side : {0, 1}) {
    const Look &look = looks[side];
    if (look.fit >= least && look.fit >= looks[1 - side].fit - unclear) {
      Measured zone = {};
      const Grid fine = aligned(strip.grey, sides[side], look.level, look.scale, look.shift);
      measure(strip.grey, fine, look.level, look.scale, look.shift, zone);
      isPattern = isPattern || zone.isPattern;
      if (zone.fit > best.fit && showsGlyphs(zone)) {
        place(strip, fine, zone);
        best = zone;
      }
    }
    strip.turnOver();
  }
  best.isPattern = isPattern && best.fit == 0;
  return best;
}

/// Whether two grids have two rows in common.
bool overlap(const Grid &one, const Grid &other) {
  int common = 0;
  for (const Row &row : one.rows) {
    const double x = row.x(one.columns / 2.0);
    common += std::any_of(other.rows.begin(), other.rows.end(), [&](const Row &beside) {
      return std::abs(beside.y(x) - row.y(x)) < row.pitch / 2;
    });
  }
  return common >= 2;
}

/// By how much a zone of another size fits better where it is meant.
constexpr float sizeBetter = 0.03f;

/// Whether a zone of another size is meant where a larger or smaller one was read of the same rows: it fits better, and
/// of the larger one the cells that it leaves out show no glyphs. Print beside a zone makes it look longer.
bool isMeant(const Measured &other, const Measured &read) {
  constexpr float apart = 0.25f;
  if (other.fit < read.fit + sizeBetter) return false;
  const int cells = other.rows * other.columns, more = read.rows * read.columns - cells;
  if (more <= 0) return true;
  return (read.fit * float(cells + more) - other.fit * float(cells)) / float(more) < other.fit - apart;
}

/// Above this fit a zone has the size that it was read with, and light hides none of it.
constexpr float fitClear = 0.93f;

/// Reads the likeliest grids, and keeps what fits better than `best`.
void readGrids(Strip &strip, const std::vector<Grid> &grids, Measured &best) {
  constexpr size_t gridsMax = 2;
  constexpr int sizesMax = 4;
  constexpr double worthMin = 30;
  const Grid *chosen = nullptr, *pattern = nullptr;
  size_t readCount = 0;
  for (size_t i = 0; i < std::min(gridsMax, grids.size()); i++) {
    // Rows of a pattern are no zone of another size either.
    if (grids[i].worth < worthMin || (pattern && overlap(grids[i], *pattern))) continue;
    const Measured zone = readGrid(strip, grids[i]);
    readCount = i + 1;
    if (zone.isPattern) pattern = &grids[i];
    if (zone.fit > best.fit) best = zone, chosen = &grids[i];
    if (best.fit > fitGood) break;
  }
  if (!chosen || best.fit >= fitClear) return;
  // A look tells the fit well enough to leave sizes out that fit less.
  constexpr float lookOff = 0.05f;
  int tried = 0;
  const Grid &first = *chosen;
  for (size_t i = 0; i < grids.size(); i++) {
    const Grid &grid = grids[i];
    const bool hasSize = int(grid.rows.size()) == best.rows && grid.columns == best.columns;
    if (&grid == &first || hasSize || !overlap(grid, first)) continue;
    if (++tried > sizesMax) break;
    // What was read above fits less than the one that was chosen.
    if (i < readCount && grids[i].worth >= worthMin) continue;
    const Measured zone = readGrid(strip, grid, best.fit + sizeBetter - lookOff);
    if (isMeant(zone, best)) best = zone;
  }
}

/// The best zone of a strip; `fit` stays 0 when there is none.
Measured readStrip(Strip &strip) {
  Measured best = {};
  readGrids(strip, findGrids(strip.grey, Strip::pitch), best);
  // Where light or blur hides a part of the zone, its rows are followed better without the light.
  if (best.fit > 0 && best.fit < fitClear) readGrids(strip, findGrids(evened(strip.grey), Strip::pitch), best);
  return best;
}

/// Scales at which rows are looked for, as shares of the picture: small glyphs are lost at the first.
std::vector<double> scales(cv::Size size) {
  constexpr double sides[] = {1280, 2400}, most[] = {2, 3};
  std::vector<double> shares;
  double longer = std::max(size.width, size.height), shorter = std::min(size.width, size.height);
  // What is thinner than a line of print has no zone.
  constexpr double thinnest = 16;
  if (shorter * std::min(sides[0] / longer, 1.0) < thinnest) return shares;
  for (int i : {0, 1}) shares.push_back(std::min(sides[i] / longer, most[i]));
  // A small picture is enlarged at once, one that is large enough is taken as it is.
  if (shares[0] > 1 && shares[0] < 1.3) shares[0] = 1;
  return shares;
}

}  // namespace

cvision_status cvision_read_zone(const cvision_frame *source, cvision_zone *out, float *scores) {
  return guarded([&] {
    cv::Mat grey;
    cv::cvtColor(source->bgr, grey, cv::COLOR_BGR2GRAY);
    Measured best = {};
    for (double scale : scales(grey.size())) {
      cv::Mat sized = grey;
      // Between neighbouring pixels is near enough when few of them are left out.
      int how = scale > 1 ? cv::INTER_CUBIC : scale > 0.6 ? cv::INTER_LINEAR : cv::INTER_AREA;
      if (scale != 1) cv::resize(grey, sized, cv::Size(), scale, scale, how);
      constexpr size_t lanesMax = 6;
      for (const Lane &lane : seekLanes(sized, lanesMax)) {
        // Of the large picture only what a strip can hold is worth reading.
        bool enough = scale >= 1 || lane.front().pitch() >= Strip::pitch;
        Strip strip(enough ? sized : grey, lane, enough ? 1 : scale);
        Measured zone = readStrip(strip);
        if (enough)
          for (int i = 0; i < 4; i++) zone.quad.x[i] /= float(scale), zone.quad.y[i] /= float(scale);
        if (enough) zone.pitch /= float(scale);
        if (zone.fit > best.fit) best = zone;
        if (best.fit > fitGood) break;
      }
      if (best.fit > fitGood) break;
    }
    if (best.fit == 0) return refuse(CVISION_NOT_FOUND, "no rows of evenly spaced glyphs");
    *out = best;
    std::memcpy(scores, best.scores, sizeof best.scores);
    return CVISION_OK;
  });
}

cvision_status cvision_zone_strip(const cvision_frame *source, const cvision_zone *zone, cvision_frame **out) {
  return guarded([&] {
    constexpr float cell = 28;
    float width = cell * float(zone->columns + 1), height = cell * 2 * float(zone->rows);
    cv::Point2f from[4], to[4] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    for (int i = 0; i < 4; i++) from[i] = cv::Point2f(zone->quad.x[i], zone->quad.y[i]);
    cv::Mat strip, framed;
    cv::warpPerspective(
      source->bgr, strip, cv::getPerspectiveTransform(from, to), cv::Size(int(width), int(height)), cv::INTER_CUBIC,
      cv::BORDER_REPLICATE);
    cv::copyMakeBorder(strip, framed, 16, 16, 16, 16, cv::BORDER_REPLICATE);
    *out = frame(framed);
    return CVISION_OK;
  });
}
