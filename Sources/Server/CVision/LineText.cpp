// SPDX-License-Identifier: Apache-2.0

#include "Engines.hpp"
#include "Guard.hpp"
#include "LineLetters.hpp"
#include "Lines.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace cvision;

/// A model that is read and never changed: any number of threads may use it at once.
struct cvision_line_reader {
  std::unique_ptr<LineModel> model;
};

namespace {

/// Where Tesseract's data may be: the folder that was chosen, else its own variable's and those of the distributions.
std::vector<std::string> folders(const char *chosen) {
  if (chosen) return {chosen};
  std::vector<std::string> found;
  if (const char *prefix = std::getenv("TESSDATA_PREFIX")) {
    found.push_back(prefix);
    found.push_back(std::string(prefix) + "/tessdata");
  }
  for (const char *usual :
       {"/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata", "/usr/share/tessdata",
        "/usr/local/share/tessdata"})
    found.push_back(usual);
  return found;
}

/// The models of Latin script, in the order in which they are looked for.
constexpr const char *latinNames[] = {"Latin", "script/Latin"};

/// The first of these models that can be used; null when there is none. What is there and cannot be used is added to
/// `faults`, by its name without its folder.
std::unique_ptr<LineModel> firstModel(const char *data_path, const std::string &name, std::string &faults) {
  for (const std::string &folder : folders(data_path)) {
    try {
      if (auto model = LineModel::load(folder + "/" + name + ".traineddata")) return model;
    } catch (const OtherModel &error) {
      faults += (faults.empty() ? "" : "; ") + name + ".traineddata cannot be used: " + error.what();
    }
  }
  return nullptr;
}

/// Dust: a few specks, lower than this share of the page's usual letters. Captions are lower than half of their values.
constexpr double dustShare = 0.5;
/// Specks that are as high as letters are pieces of the background when they are fainter than this share of the page's
/// usual print.
constexpr double dustInkMin = 0.45;
constexpr int dustLettersMax = 2;
constexpr size_t wordsMax = 600;

/// The number that half of them do not pass; 0 of none.
double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  std::nth_element(numbers.begin(), numbers.begin() + long(numbers.size() / 2), numbers.end());
  return numbers[numbers.size() / 2];
}

/// Which lines are more than dust, by the height and the ink of the page's other lines.
std::vector<size_t> readable(const std::vector<Line> &lines) {
  std::vector<double> heights, inks;
  for (const Line &line : lines) {
    if (line.letters <= dustLettersMax) continue;
    heights.push_back(line.letter);
    inks.push_back(line.ink);
  }
  const double lowest = median(heights) * dustShare, faintest = median(inks) * dustInkMin;
  std::vector<size_t> kept;
  for (size_t i = 0; i < lines.size(); i++)
    if (lines[i].letters > dustLettersMax || (lines[i].letter >= lowest && lines[i].ink >= faintest)) kept.push_back(i);
  return kept;
}

/// Lines that are read at once, between two looks at the clock.
constexpr size_t batch = 8;
/// A longer line is none of a document, in heights of its strip.
constexpr int lineLongMax = 60;
/// Tesseract's networks are trained with strips that are enlarged and sharpened like this.
constexpr double sharpening = 0.4;
constexpr int sharpeningWidth = 5;
/// Darker than this is ink, where a word's edges are looked for.
constexpr int inkMax = 150;
/// A wider gap between two letters of a word, in heights of a capital, may be a space that was not seen ("A ANNA" read as
/// "AANNA"); the word is no more certain than `gapCertainty` then. Digits stand further apart, and no space among them
/// changes a number or a date.
constexpr double gapMax = 0.27, digitGapMax = 0.4;
constexpr float gapCertainty = 0.9F;

cv::Mat sharpened(const cv::Mat &strip) {
  cv::Mat blurred, out;
  cv::blur(strip, blurred, cv::Size(sharpeningWidth, sharpeningWidth), cv::Point(-1, -1), cv::BORDER_REPLICATE);
  cv::addWeighted(strip, 1 + sharpening, blurred, -sharpening, 0, out);
  return out;
}

struct Strip {
  size_t line;
  cv::Mat picture;
  cv::Rect inside;
};

/// Where the ink of a word begins and ends in its strip, and its widest gap.
struct Extent {
  int first, last, gap = 0;
};

Extent extent(const LineWord &word, const Strip &strip) {
  const int from = std::clamp(cvFloor(word.from), 0, strip.picture.cols - 1);
  const int to = std::clamp(cvCeil(word.to), from + 1, strip.picture.cols);
  cv::Mat darkest;
  const cv::Range rows(strip.inside.y, std::min(strip.picture.rows, strip.inside.y + strip.inside.height));
  cv::reduce(strip.picture(rows, cv::Range(from, to)), darkest, 0, cv::REDUCE_MIN);
  const uint8_t *column = darkest.ptr<uint8_t>(0);
  Extent found = {-1, -1};
  for (int x = from; x < to; x++) {
    if (column[x - from] >= inkMax) continue;
    if (found.first < 0) found.first = x;
    else found.gap = std::max(found.gap, x - found.last);
    found.last = x + 1;
  }
  return found.first < 0 ? Extent{from, to} : found;
}

/// The words of a strip in the pixels of the page.
void takeWords(const std::vector<LineWord> &read, const Line &line, const Strip &strip, std::vector<cvision_word> &to) {
  const double scale = double(line.box.width) / strip.inside.width;
  for (const LineWord &each : read) {
    cvision_word word = {};
    // A character is not cut in two: what does not fit is no word of a document.
    if (each.text.size() >= sizeof word.text || to.size() == wordsMax) continue;
    std::memcpy(word.text, each.text.data(), each.text.size());
    const Extent ink = extent(each, strip);
    const bool hasDigit = each.text.find_first_of("0123456789") != std::string::npos;
    const bool mayHaveSpace = ink.gap * scale > line.letter * (hasDigit ? digitGapMax : gapMax);
    word.confidence = mayHaveSpace ? std::min(each.certainty, gapCertainty) : each.certainty;
    const double start = line.box.x, end = start + line.box.width;
    const double left = std::clamp(start + (ink.first - strip.inside.x) * scale, start, end - 1);
    const double right = std::clamp(start + (ink.last - strip.inside.x) * scale, left + 1, end);
    word.box = {float(left), float(line.box.y), float(right - left), float(line.box.height)};
    word.line = int(strip.line);
    to.push_back(word);
  }
}

}  // namespace

cvision_status cvision_line_reader_create(const char *data_path, cvision_line_reader **out, int *is_latin) {
  return guarded([&] {
    std::string faults;
    for (const char *name : {latinNames[0], latinNames[1], "eng"}) {
      auto model = firstModel(data_path, name, faults);
      if (!model) continue;
      *is_latin = std::strcmp(name, "eng") != 0;
      *out = new cvision_line_reader{std::move(model)};
      return CVISION_OK;
    }
    return refuse(
      CVISION_NO_MODEL, faults.empty() ? "Tesseract has no data for lines of Latin script" : faults.c_str());
  });
}

void cvision_line_reader_free(cvision_line_reader *reader) { delete reader; }

cvision_status cvision_has_latin_model(const char *data_path, int *found) {
  return guarded([&] {
    *found = 0;
    std::string faults;
    for (const char *name : latinNames)
      if (!*found && firstModel(data_path, name, faults)) *found = 1;
    return *found || faults.empty() ? CVISION_OK : refuse(CVISION_NO_MODEL, faults.c_str());
  });
}

cvision_status cvision_read_lines(
  const cvision_line_reader *reader, const cvision_frame *ink, int limit_ms, cvision_words *out) {
  return guarded([&] {
    *out = {};
    // Finding the lines is a part of what is limited.
    const int64_t end = spent() + limit_ms;
    cv::Mat grey;
    cv::cvtColor(ink->bgr, grey, cv::COLOR_BGR2GRAY);
    const LineFinder finder(grey);
    const auto &lines = finder.lines();
    const int height = reader->model->height;
    std::vector<Strip> strips;
    for (size_t i : readable(lines)) {
      Strip strip = {i, {}, {}};
      strip.picture = sharpened(finder.cut(i, height, strip.inside));
      if (strip.picture.cols <= height * lineLongMax) strips.push_back(strip);
    }
    // Lines that are read together should end together.
    std::sort(strips.begin(), strips.end(), [](const Strip &l, const Strip &r) {
      return l.picture.cols < r.picture.cols;
    });
    std::vector<cvision_word> words;
    for (size_t from = 0; from < strips.size() && spent() <= end; from += batch) {
      std::vector<cv::Mat> pictures;
      for (size_t i = from; i < std::min(strips.size(), from + batch); i++) pictures.push_back(strips[i].picture);
      const auto read = recognise(*reader->model, pictures);
      for (size_t i = 0; i < read.size(); i++) {
        const Strip &strip = strips[from + i];
        takeWords(cvision::words(*reader->model, read[i], strip.picture.cols), lines[strip.line], strip, words);
      }
    }
    std::stable_sort(words.begin(), words.end(), [](const auto &l, const auto &r) { return l.line < r.line; });
    if (words.empty()) return CVISION_OK;
    out->words = static_cast<cvision_word *>(std::malloc(words.size() * sizeof(cvision_word)));
    if (!out->words) return refuse(CVISION_FAILED, "memory");
    std::memcpy(out->words, words.data(), words.size() * sizeof(cvision_word));
    out->count = words.size();
    return CVISION_OK;
  });
}
