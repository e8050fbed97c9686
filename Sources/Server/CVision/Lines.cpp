// SPDX-License-Identifier: Apache-2.0

#include "Lines.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cvision {

namespace {

/// Darker than this is ink: halfway between what `cvision_ink` makes of ink and of paper.
constexpr double inkMax = 140;
/// So is what is darker than its surroundings by this much, and darker than paper: small print that blur has made faint.
constexpr double faintLead = 22, faintMax = 215;
constexpr int faintWindow = 31;
/// Of letters, in pixels of a page that is 1,600 wide: the small print of a passport has 12, a card's name 50.
constexpr int letterMin = 8, letterMax = 90, lettersWideMax = 500;
/// A piece of a portrait's frame: higher than print of a card's values, and slimmer than I. It would join lines.
constexpr int barMin = 60, barSlimMin = 8;
/// Letters of one line stand no further apart than this, in heights of the higher: a space is 0.6.
constexpr double gapMax = 1.05;
/// Letters of one line overlap by this much of the lower one's height.
constexpr double overlapMin = 0.45;
/// A small letter is half as high as a capital with its mark.
constexpr double heightsMax = 2.6;
/// Of accents, commas and dashes, in heights of a capital.
constexpr double markHighMax = 0.5, markWideMax = 0.9;
/// Room around a line's letters, in heights of a capital: for marks above and tails below. The model was trained on
/// lines that are cut close: with 0.6 beside them it reads a dash behind every tenth, with 0.25 hardly ever.
constexpr double aboveShare = 0.5, belowShare = 0.4, besideShare = 0.25;
constexpr size_t partsMax = 20'000, linesMax = 120;
/// Print of one line is of one ink. What is lighter than this share of its line's usual darkness is a piece of the
/// background's pattern, which is as high as a letter by chance: measured are 0.24 and less, and 0.6 and more of letters
/// that are worn and blurred. Accents and dots are thin, so that blur makes them lighter.
constexpr double letterInkMin = 0.45, markInkMin = 0.3;
/// What a picture full of specks would cost is bounded by these; a page has fewer of both.
constexpr size_t slopeLettersMax = 120, homesMax = 480;

cv::Mat inkOf(const cv::Mat &grey) {
  cv::Mat around, lead;
  cv::blur(grey, around, cv::Size(faintWindow, faintWindow));
  cv::subtract(around, grey, lead);
  return (grey < inkMax) | ((lead > faintLead) & (grey < faintMax));
}

struct Part {
  cv::Rect box;
  size_t label;
  /// 255 is black; the mean of its pixels.
  double ink;
};

/// How dark the pixels of each connected part are, on the average.
std::vector<double> inks(const cv::Mat &grey, const Parts &parts) {
  std::vector<double> means(parts.components().size(), 0);
  for (int y = 0; y < grey.rows; y++) {
    const uint8_t *row = grey.ptr<uint8_t>(y);
    for (const Run *run = parts.row(y); run != parts.row(y + 1); run++)
      for (int x = run->from; x < run->to; x++) means[size_t(run->label)] += 255 - row[x];
  }
  for (size_t i = 0; i < means.size(); i++) means[i] /= parts.components()[i].area;
  return means;
}

int bottom(const cv::Rect &box) { return box.y + box.height; }
int right(const cv::Rect &box) { return box.x + box.width; }

bool adjoin(const cv::Rect &left, const cv::Rect &next) {
  const int low = std::min(left.height, next.height), high = std::max(left.height, next.height);
  if (high > low * heightsMax) return false;
  const int shared = std::min(bottom(left), bottom(next)) - std::max(left.y, next.y);
  const int gap = next.x - right(left);
  return shared >= low * overlapMin && gap <= high * gapMax;
}

int root(std::vector<int> &parents, int at) {
  while (parents[size_t(at)] != at) at = parents[size_t(at)] = parents[size_t(parents[size_t(at)])];
  return at;
}

/// Letters that stand side by side, group by group. They are in order from left to right.
std::vector<std::vector<size_t>> grouped(const std::vector<Part> &letters) {
  std::vector<int> parents(letters.size());
  std::iota(parents.begin(), parents.end(), 0);
  for (size_t i = 0; i < letters.size(); i++)
    for (size_t j = i + 1; j < letters.size(); j++) {
      if (letters[j].box.x - right(letters[i].box) > letterMax * gapMax) break;
      if (adjoin(letters[i].box, letters[j].box)) parents[size_t(root(parents, int(j)))] = root(parents, int(i));
    }
  std::vector<std::vector<size_t>> groups(letters.size());
  for (size_t i = 0; i < letters.size(); i++) groups[size_t(root(parents, int(i)))].push_back(i);
  return groups;
}

/// The darkness that half of a line's letters do not pass.
double usualInk(const std::vector<Part> &letters, const std::vector<size_t> &group) {
  std::vector<double> inks;
  for (size_t i : group) inks.push_back(letters[i].ink);
  std::nth_element(inks.begin(), inks.begin() + long(inks.size() / 2), inks.end());
  return inks[inks.size() / 2];
}

/// Without pieces of the background's pattern, which also join what stands apart.
std::vector<Part> ofOneInk(const std::vector<Part> &letters) {
  std::vector<Part> kept;
  for (const auto &group : grouped(letters)) {
    if (group.empty()) continue;
    const double least = group.size() < 3 ? 0 : usualInk(letters, group) * letterInkMin;
    for (size_t i : group)
      if (letters[i].ink >= least) kept.push_back(letters[i]);
  }
  std::sort(kept.begin(), kept.end(), [](const Part &l, const Part &r) { return l.box.x < r.box.x; });
  return kept;
}

/// The height that most letters of a line do not pass: marks above a capital count for nothing.
int letterHeight(std::vector<int> heights) {
  std::sort(heights.begin(), heights.end());
  return heights[heights.size() * 3 / 4];
}

/// Whether something smaller than its letters stands so near a line that it may be one of its marks.
bool belongs(const cv::Rect &mark, const Line &line) {
  if (mark.height > line.letter * markHighMax || mark.width > line.letter * markWideMax) return false;
  const double x = mark.x + mark.width / 2.0, y = mark.y + mark.height / 2.0, reach = line.letter * 0.5;
  return x > line.box.x - reach && x < right(line.box) + reach && y > line.box.y - reach
    && y < bottom(line.box) + reach;
}

/// A letter's mark stands about a tenth of the letter's height over it; what is further below the feet of a line than
/// this share of its letters is no comma of it. Few letters have marks below, so that what stands between two lines
/// is a mark of the lower one unless it is nearer to the upper by this factor.
constexpr double feetSlack = 0.12, belowCost = 2.5;
/// Of the letters beside a mark as many tell where the line runs there.
constexpr size_t besideMost = 5;
/// A member of a line that is lower than this share of its letters may be a mark of another line.
constexpr double memberHighMin = 0.55;

/// How far a mark is above the heads or below the feet of the letters of a line that stand nearest to it, in pixels; 0
/// for what is between them. The box of a line says less: a tail or a slope makes it reach into the next line.
/// `letters` are in the order of their left edges and not empty.
double distance(const cv::Rect &mark, const std::vector<cv::Rect> &letters, double letter) {
  const int x = mark.x + mark.width / 2;
  // By their left edges: a broad letter may reach over a slim one, and their middles are in no order then.
  const auto next = std::lower_bound(
    letters.begin(), letters.end(), x, [](const cv::Rect &box, int at) { return box.x < at; });
  size_t from = size_t(next - letters.begin()), to = from;
  std::vector<int> heads, feet;
  heads.reserve(besideMost), feet.reserve(besideMost);
  while (to - from < besideMost && to - from < letters.size()) {
    const bool left = from > 0
      && (to == letters.size() || x - (letters[from - 1].x + letters[from - 1].width / 2)
            <= letters[to].x + letters[to].width / 2 - x);
    left ? from-- : to++;
  }
  for (size_t i = from; i < to; i++) {
    if (letters[i].height < letter * memberHighMin) continue;
    heads.push_back(letters[i].y);
    feet.push_back(letters[i].y + letters[i].height);
  }
  if (heads.empty()) return letter;
  std::nth_element(heads.begin(), heads.begin() + long(heads.size() / 2), heads.end());
  std::nth_element(feet.begin(), feet.begin() + long(feet.size() / 2), feet.end());
  const double head = heads[heads.size() / 2], foot = feet[feet.size() / 2];
  const double y = mark.y + mark.height / 2.0;
  if (y < head) return std::max(0.0, head - (mark.y + mark.height));
  if (y < foot + letter * feetSlack) return 0;
  return std::max(1.0, mark.y - foot) * belowCost;
}

/// How likely something is print. A pattern is lighter, and its pieces seldom stand in a row; one dark letter may be a
/// value.
double weight(const Line &line) { return line.ink * std::pow(std::min(line.letters, 8), 0.25); }

/// Rise of the line through the feet of its letters; of few letters there is none. Of very many every n-th counts.
double slope(const std::vector<cv::Rect> &letters) {
  if (letters.size() < 5) return 0;
  std::vector<double> slopes;
  const size_t stride = (letters.size() + slopeLettersMax - 1) / slopeLettersMax;
  for (size_t i = 0; i < letters.size(); i += stride)
    for (size_t j = i + stride; j < letters.size(); j += stride) {
      const double across = letters[j].x - letters[i].x;
      if (across > letters[i].height * 3) slopes.push_back((bottom(letters[j]) - bottom(letters[i])) / across);
    }
  if (slopes.size() < 6) return 0;
  std::nth_element(slopes.begin(), slopes.begin() + long(slopes.size() / 2), slopes.end());
  const double median = slopes[slopes.size() / 2];
  return std::abs(median) < 0.004 || std::abs(median) > 0.3 ? 0 : median;
}

}  // namespace

LineFinder::LineFinder(const cv::Mat &grey) : grey(grey), parts(inkOf(grey)) {
  const std::vector<Component> &components = parts.components();
  owner.assign(components.size(), -1);
  const std::vector<double> ink = inks(grey, parts);
  std::vector<Part> letters, marks;
  for (size_t label = 0; label < components.size() && letters.size() + marks.size() < partsMax; label++) {
    const Component &part = components[label];
    const cv::Rect box(part.left, part.top, part.width, part.height);
    if (box.height > letterMax || box.width > lettersWideMax || part.area < 4) continue;
    // A dash is a mark too; a long thin thing is a rule of the background.
    const bool isBar = box.height >= barMin && box.height > box.width * barSlimMin;
    const bool letter = box.height >= letterMin && box.width <= box.height * 12 && !isBar;
    if (letter) letters.push_back({box, label, ink[label]});
    else if (box.width <= letterMax && box.height < letterMin * 3) marks.push_back({box, label, ink[label]});
  }
  std::sort(letters.begin(), letters.end(), [](const Part &l, const Part &r) { return l.box.x < r.box.x; });
  letters = ofOneInk(letters);
  const auto groups = grouped(letters);
  std::vector<std::pair<Line, std::vector<size_t>>> lines;
  for (const auto &group : groups) {
    if (group.empty()) continue;
    Line line;
    std::vector<int> heights;
    std::vector<cv::Rect> boxes;
    for (size_t i : group) {
      line.box |= letters[i].box;
      heights.push_back(letters[i].box.height);
      boxes.push_back(letters[i].box);
    }
    line.letter = letterHeight(heights);
    line.letters = int(group.size());
    line.slope = slope(boxes);
    line.ink = usualInk(letters, group);
    lines.emplace_back(line, group);
  }
  // A mark of large print is as high as a letter of small print: what stands alone beside larger print may be one.
  std::vector<Line> homes;
  for (const auto &[line, group] : lines)
    if (group.size() > 1) homes.push_back(line);
  std::sort(homes.begin(), homes.end(), [](const Line &l, const Line &r) { return l.letters > r.letters; });
  if (homes.size() > homesMax) homes.resize(homesMax);
  lines.erase(
    std::remove_if(lines.begin(), lines.end(), [&](const auto &alone) {
      if (alone.second.size() > 2) return false;
      const bool isMark = std::any_of(homes.begin(), homes.end(), [&](const Line &home) {
        return home.letters > alone.first.letters && belongs(alone.first.box, home);
      });
      if (isMark) for (size_t i : alone.second) marks.push_back(letters[i]);
      return isMark;
    }),
    lines.end());
  if (lines.size() > linesMax) {
    // The pieces of a pattern must not take the room of print that stands below them.
    const auto heavier = [](const auto &l, const auto &r) { return weight(l.first) > weight(r.first); };
    std::sort(lines.begin(), lines.end(), heavier);
    lines.resize(linesMax);
  }
  std::sort(lines.begin(), lines.end(), [](const auto &l, const auto &r) {
    return std::pair(l.first.box.y, l.first.box.x) < std::pair(r.first.box.y, r.first.box.x);
  });
  std::vector<std::vector<cv::Rect>> places;
  for (const auto &[line, group] : lines) {
    places.emplace_back();
    for (size_t i : group) {
      owner[letters[i].label] = int(found.size());
      places.back().push_back(letters[i].box);
    }
    // A mark of the next line may be as high as a small letter and stand among the tails of this one.
    for (size_t i : group) {
      const cv::Rect &box = letters[i].box;
      if (group.size() > 2 && box.height < line.letter * memberHighMin && distance(box, places.back(), line.letter) > 0)
        marks.push_back(letters[i]);
    }
    found.push_back(line);
  }
  // Dots, accents, cedillas, full stops and hyphens go to the nearest line that they can belong to.
  for (const Part &mark : marks) {
    double best = 1e9;
    int home = -1;
    for (size_t i = 0; i < found.size(); i++) {
      if (!belongs(mark.box, found[i]) || mark.ink < found[i].ink * markInkMin) continue;
      const double away = distance(mark.box, places[i], found[i].letter);
      if (away < best) best = away, home = int(i);
    }
    if (home >= 0) owner[mark.label] = home;
  }
}

cv::Mat LineFinder::cut(size_t index, int height, cv::Rect &inside) const {
  const Line &line = found[index];
  const int above = cvRound(line.letter * aboveShare), below = cvRound(line.letter * belowShare);
  const int beside = cvRound(line.letter * besideShare);
  const cv::Rect area(
    line.box.x - beside, line.box.y - above, line.box.width + 2 * beside, line.box.height + above + below);
  const cv::Rect held = area & cv::Rect(cv::Point(), grey.size());
  cv::Mat strip(area.size(), CV_8U, cv::Scalar(255)), foreign(area.size(), CV_8U, cv::Scalar(0));
  const cv::Point shift = held.tl() - area.tl();
  grey(held).copyTo(strip(cv::Rect(shift, held.size())));
  const auto mark = [&](bool own, uint8_t value) {
    for (int y = 0; y < held.height; y++) {
      uint8_t *to = foreign.ptr<uint8_t>(y + shift.y) + shift.x;
      for (const Run *run = parts.row(held.y + y); run != parts.row(held.y + y + 1); run++) {
        const int from = std::max(run->from - held.x, 0), end = std::min(run->to - held.x, held.width);
        if (from < end && (owner[size_t(run->label)] == int(index)) == own) std::fill(to + from, to + end, value);
      }
    }
  };
  mark(false, 255);
  cv::dilate(foreign, foreign, cv::getStructuringElement(cv::MORPH_RECT, cv::Size(5, 5)));
  // What is dilated must not eat letters of this line.
  mark(true, 0);
  strip.setTo(255, foreign);
  if (line.slope != 0) {
    cv::Mat straight, turn = (cv::Mat_<double>(2, 3) << 1, 0, 0, -line.slope, 1, line.slope * strip.cols / 2.0);
    cv::warpAffine(strip, straight, turn, strip.size(), cv::INTER_LINEAR, cv::BORDER_CONSTANT, cv::Scalar(255));
    strip = straight;
  }
  const double scale = double(height) / strip.rows;
  cv::Mat out;
  cv::resize(
    strip, out, cv::Size(std::max(height, cvRound(strip.cols * scale)), height), 0, 0,
    scale < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
  inside = cv::Rect(
    cvRound(beside * scale), cvRound(above * scale), std::max(1, cvRound(line.box.width * scale)),
    std::max(1, cvRound(line.box.height * scale)));
  return out;
}

}  // namespace cvision
