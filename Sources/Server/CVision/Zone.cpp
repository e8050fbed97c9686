#include "Glyphs.hpp"
#include "Guard.hpp"
#include "Rows.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace cvision;

namespace {

// A cell is sampled with a border, so that a glyph may stand a little off its place.
constexpr int slackX = 3, slackY = 4;
constexpr int patchWidth = glyphWidth + 2 * slackX, patchHeight = glyphHeight + 2 * slackY;
constexpr int glyphArea = glyphWidth * glyphHeight;

struct Template {
  float ink[glyphArea];
};

/// Zero-mean, unit-norm templates, sharp and blurred as far cameras blur.
const std::vector<std::vector<Template>> &templates() {
  static const auto made = [] {
    std::vector<std::vector<Template>> levels;
    for (double sigma : {0.7, 1.5, 2.4}) {
      std::vector<Template> level(glyphCount);
      for (int g = 0; g < glyphCount; g++) {
        cv::Mat shape(glyphHeight, glyphWidth, CV_32F), soft;
        for (int i = 0; i < glyphArea; i++) {
          char digit = glyphInk[g][i];
          reinterpret_cast<float *>(shape.data)[i] = float(digit <= '9' ? digit - '0' : digit - 'a' + 10);
        }
        cv::GaussianBlur(shape, soft, cv::Size(), sigma, sigma, cv::BORDER_CONSTANT);
        soft -= cv::mean(soft)[0];
        soft /= cv::norm(soft);
        std::memcpy(level[size_t(g)].ink, soft.data, sizeof(Template));
      }
      levels.push_back(level);
    }
    return levels;
  }();
  return made;
}

/// Two or three parallel rows of one pitch, on a common grid.
struct Grid {
  std::vector<Row> rows;
  int columns = 0;
  double slack = 0;
};

double middleX(const Row &row) { return row.x((row.count - 1) / 2.0); }

bool stacked(const Row &upper, const Row &lower) {
  double pitch = (upper.pitch + lower.pitch) / 2, x = (middleX(upper) + middleX(lower)) / 2;
  double gap = lower.y(x) - upper.y(x);
  return std::abs(upper.pitch - lower.pitch) < pitch * 0.12 && gap > pitch * 1.1 && gap < pitch * 3.4
    && std::abs(upper.b - lower.b) < 0.06;
}

/// Chooses the number of columns whose rows' ends fit best, and shifts every row to the common left edge.
bool settle(std::vector<Row> rows, Grid &grid) {
  // Rows of a zone are parallel and begin on a line square to them: compare along the rows' direction.
  double slope = 0, pitch = 0;
  for (const Row &row : rows) slope += row.b + 2 * row.c * middleX(row), pitch += row.pitch;
  slope /= double(rows.size()), pitch /= double(rows.size());
  double top = rows[0].y(rows[0].first);
  auto left = [&](const Row &row) { return row.first + slope * (row.y(row.first) - top); };
  double edge = 1e9, right = -1e9;
  for (const Row &row : rows) {
    edge = std::min(edge, left(row));
    double last = row.x(row.count - 1);
    right = std::max(right, last + slope * (row.y(last) - top));
  }
  std::vector<int> lead;
  int span = 0;
  for (const Row &row : rows) {
    int missing = int(std::lround((left(row) - edge) / row.pitch));
    lead.push_back(missing);
    span = std::max(span, row.count + missing);
  }
  int columns = 0;
  if (rows.size() == 3) columns = 30;
  if (rows.size() == 2) columns = std::abs(span - 36) < std::abs(span - 44) ? 36 : 44;
  if (std::abs(span - columns) > 3) return false;
  for (size_t i = 0; i < rows.size(); i++) {
    Row &row = rows[i];
    // A surplus at both ends is dust; a lack is taken from the left only as far as the other rows show it.
    row.first = row.x(-lead[i]);
    row.pitch -= 2 * row.bend * lead[i];
    row.count = columns;
  }
  grid.rows = rows;
  grid.columns = columns;
  grid.slack = std::abs(span - columns);
  return true;
}

std::vector<Grid> grids(const std::vector<Row> &rows) {
  std::vector<Grid> found;
  for (size_t i = 0; i < rows.size(); i++) {
    for (size_t j = i + 1; j < rows.size(); j++) {
      if (!stacked(rows[i], rows[j])) continue;
      Grid pair;
      for (size_t k = j + 1; k < rows.size(); k++) {
        Grid triple;
        if (stacked(rows[j], rows[k]) && settle({rows[i], rows[j], rows[k]}, triple)) found.push_back(triple);
      }
      if (settle({rows[i], rows[j]}, pair)) found.push_back(pair);
    }
  }
  return found;
}

/// Samples the cell at column `k` of `row` as a patch; one template pixel is a twentieth of the pitch.
void sample(const cv::Mat &grey, const Row &row, double k, double dy, double scale, cv::Mat &patch) {
  double x = row.x(k), pitch = row.pitch + 2 * row.bend * k, slope = row.b + 2 * row.c * x;
  double unit = pitch / glyphWidth * scale, y = row.y(x) + dy;
  double length = std::sqrt(1 + slope * slope), ux = 1 / length * unit, uy = slope / length * unit;
  // Affine from patch to frame: rotated by the row's slope.
  double matrix[6] = {ux, -uy, x - ux * (patchWidth - 1) / 2.0 + uy * (patchHeight - 1) / 2.0,
                      uy, ux, y - uy * (patchWidth - 1) / 2.0 - ux * (patchHeight - 1) / 2.0};
  cv::warpAffine(
    grey, patch, cv::Mat(2, 3, CV_64F, matrix), cv::Size(patchWidth, patchHeight),
    cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
}

/// The best normalised correlation of each glyph over shifts of `reach` pixels around `(sx, sy)`.
void correlate(
  const cv::Mat &patch, const std::vector<Template> &level, int sx, int sy, int reachX, int reachY, float *scores,
  int *bestX = nullptr, int *bestY = nullptr) {
  std::fill(scores, scores + glyphCount, -1.0f);
  float window[glyphArea], top = -1;
  for (int oy = std::max(0, slackY + sy - reachY); oy <= std::min(2 * slackY, slackY + sy + reachY); oy++) {
    for (int ox = std::max(0, slackX + sx - reachX); ox <= std::min(2 * slackX, slackX + sx + reachX); ox++) {
      float sum = 0, squares = 0;
      for (int y = 0; y < glyphHeight; y++) {
        const uint8_t *line = patch.ptr<uint8_t>(y + oy) + ox;
        for (int x = 0; x < glyphWidth; x++) {
          float ink = 255.0f - line[x];
          window[y * glyphWidth + x] = ink;
          sum += ink;
          squares += ink * ink;
        }
      }
      float variance = squares - sum * sum / glyphArea;
      // Flat paper correlates with nothing.
      float inverse = 1 / std::sqrt(std::max(variance, 40.0f * glyphArea));
      for (int g = 0; g < glyphCount; g++) {
        const float *ink = level[size_t(g)].ink;
        float dot[4] = {0, 0, 0, 0};
        for (int i = 0; i < glyphArea; i += 4)
          for (int lane = 0; lane < 4; lane++) dot[lane] += ink[i + lane] * window[i + lane];
        float score = (dot[0] + dot[1] + dot[2] + dot[3]) * inverse;
        if (score > scores[g]) scores[g] = score;
        if (score > top) {
          top = score;
          if (bestX) *bestX = ox - slackX;
          if (bestY) *bestY = oy - slackY;
        }
      }
    }
  }
}

float top(const float *scores) { return *std::max_element(scores, scores + glyphCount); }

/// Mean fit of a spread of cells, to choose the blur level and the side that is up.
float probe(const cv::Mat &grey, const Grid &grid, size_t level, double scale, double &dyOut) {
  float total = 0;
  int cells = 0;
  std::vector<int> shifts;
  for (const Row &row : grid.rows) {
    for (int k = 1; k < grid.columns; k += 4) {
      cv::Mat patch;
      sample(grey, row, k, 0, scale, patch);
      float scores[glyphCount];
      int bx = 0, by = 0;
      correlate(patch, templates()[level], 0, 0, 2, slackY, scores, &bx, &by);
      total += top(scores);
      shifts.push_back(by);
      cells++;
    }
  }
  std::nth_element(shifts.begin(), shifts.begin() + long(shifts.size() / 2), shifts.end());
  dyOut = shifts[shifts.size() / 2];
  return total / float(std::max(1, cells));
}

void measure(const cv::Mat &grey, const Grid &grid, size_t level, double scale, int shift, cvision_zone &zone) {
  float total = 0;
  for (size_t r = 0; r < grid.rows.size(); r++) {
    for (int k = 0; k < grid.columns; k++) {
      cv::Mat patch;
      sample(grey, grid.rows[r], k, 0, scale, patch);
      correlate(patch, templates()[level], 0, shift, 3, 2, zone.scores[r][k]);
      total += top(zone.scores[r][k]);
    }
  }
  zone.rows = int(grid.rows.size());
  zone.columns = grid.columns;
  zone.pitch = float(grid.rows[0].pitch);
  zone.fit = total / float(zone.rows * zone.columns);
}

cvision_quad outline(const Grid &grid) {
  const Row &first = grid.rows.front(), &last = grid.rows.back();
  cvision_quad quad;
  auto put = [&](int i, const Row &row, double k, double side) {
    double x = row.x(k);
    quad.x[i] = float(x), quad.y[i] = float(row.y(x) + side * row.pitch);
  };
  put(0, first, -0.8, -0.9), put(1, first, grid.columns - 0.2, -0.9);
  put(2, last, grid.columns - 0.2, 0.9), put(3, last, -0.8, 0.9);
  return quad;
}

/// Reads one frame that stands upright or on its head. Returns false when nothing is a zone.
bool readUpright(const cv::Mat &grey, cvision_zone &best) {
  bool any = false;
  std::vector<Grid> candidates = grids(findRows(grey, 20));
  // Three rows explain more than two of them do; of like ones the better filled comes first.
  std::sort(candidates.begin(), candidates.end(), [](const Grid &l, const Grid &r) {
    return l.rows.size() != r.rows.size() ? l.rows.size() > r.rows.size() : l.slack < r.slack;
  });
  constexpr size_t candidatesMax = 4;
  for (size_t c = 0; c < std::min(candidates.size(), candidatesMax); c++) {
    double bestScale = 1, bestShift = 0;
    size_t bestLevel = 0;
    float bestFit = -1;
    for (size_t level = 0; level < templates().size(); level++) {
      double shift = 0;
      float fit = probe(grey, candidates[c], level, 1, shift);
      if (fit > bestFit) bestFit = fit, bestLevel = level, bestShift = shift;
    }
    for (double scale : {0.9, 1.1}) {
      double shift = 0;
      float fit = probe(grey, candidates[c], bestLevel, scale, shift);
      if (fit > bestFit) bestFit = fit, bestScale = scale, bestShift = shift;
    }
    if (bestFit < 0.45f) continue;
    cvision_zone zone = {};
    measure(grey, candidates[c], bestLevel, bestScale, int(bestShift), zone);
    if (any && zone.fit <= best.fit + 0.02f) continue;
    zone.quad = outline(candidates[c]);
    best = zone;
    any = true;
    if (best.fit > 0.75f) break;
  }
  return any;
}

}  // namespace

cvision_status cvision_read_zone(const cvision_frame *source, cvision_zone *out) {
  return guarded([&] {
    cv::Mat grey, turned;
    cv::cvtColor(source->bgr, grey, cv::COLOR_BGR2GRAY);
    cvision_zone upright = {}, reversed = {};
    bool found = readUpright(grey, upright);
    // A zone on its head still fits rather well: half of the glyphs have a twin among the others, turned over.
    if (found && upright.fit > 0.88f) {
      *out = upright;
      return CVISION_OK;
    }
    cv::rotate(grey, turned, cv::ROTATE_180);
    if (readUpright(turned, reversed) && (!found || reversed.fit > upright.fit + 0.02f)) {
      reversed.upside_down = 1;
      for (int i = 0; i < 4; i++) {
        reversed.quad.x[i] = float(grey.cols - 1) - reversed.quad.x[i];
        reversed.quad.y[i] = float(grey.rows - 1) - reversed.quad.y[i];
      }
      *out = reversed;
      return CVISION_OK;
    }
    if (!found) return refuse(CVISION_NOT_FOUND, "no rows of evenly spaced glyphs");
    *out = upright;
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
