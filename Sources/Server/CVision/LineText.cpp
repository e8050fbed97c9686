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

std::string modelPath(const std::string &folder, const char *name) { return folder + "/" + name + ".traineddata"; }

/// Dust: a few specks, lower than this share of the page's usual letters. Captions are lower than half of their values.
constexpr double dustShare = 0.5;
constexpr int dustLettersMax = 2;
constexpr size_t wordsMax = 600;

/// The height that half of the lines' letters do not pass.
int usualLetter(const std::vector<Line> &lines) {
  std::vector<int> heights;
  for (const Line &line : lines)
    if (line.letters > dustLettersMax) heights.push_back(line.letter);
  if (heights.empty()) return 0;
  std::nth_element(heights.begin(), heights.begin() + long(heights.size() / 2), heights.end());
  return heights[heights.size() / 2];
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

/// Where the ink of a word begins and ends in its strip.
std::pair<int, int> edges(const LineWord &word, const Strip &strip) {
  const int from = std::clamp(cvFloor(word.from), 0, strip.picture.cols - 1);
  const int to = std::clamp(cvCeil(word.to), from + 1, strip.picture.cols);
  cv::Mat darkest;
  const cv::Range rows(strip.inside.y, std::min(strip.picture.rows, strip.inside.y + strip.inside.height));
  cv::reduce(strip.picture(rows, cv::Range(from, to)), darkest, 0, cv::REDUCE_MIN);
  const uint8_t *column = darkest.ptr<uint8_t>(0);
  int first = 0, last = to - from;
  while (first < to - from && column[first] >= inkMax) first++;
  while (last > first && column[last - 1] >= inkMax) last--;
  return first < last ? std::pair(from + first, from + last) : std::pair(from, to);
}

/// The words of a strip in the pixels of the page.
void takeWords(const std::vector<LineWord> &read, const Line &line, const Strip &strip, std::vector<cvision_word> &to) {
  const double scale = double(line.box.width) / strip.inside.width;
  for (const LineWord &each : read) {
    cvision_word word = {};
    // A character is not cut in two: what does not fit is no word of a document.
    if (each.text.size() >= sizeof word.text || to.size() == wordsMax) continue;
    std::memcpy(word.text, each.text.data(), each.text.size());
    word.confidence = each.certainty;
    const auto [first, last] = edges(each, strip);
    const double start = line.box.x, end = start + line.box.width;
    const double left = std::clamp(start + (first - strip.inside.x) * scale, start, end - 1);
    const double right = std::clamp(start + (last - strip.inside.x) * scale, left + 1, end);
    word.box = {float(left), float(line.box.y), float(right - left), float(line.box.height)};
    word.line = int(strip.line);
    to.push_back(word);
  }
}

}  // namespace

cvision_status cvision_line_reader_create(const char *data_path, cvision_line_reader **out, int *is_latin) {
  return guarded([&] {
    for (const char *name : {latinNames[0], latinNames[1], "eng"})
      for (const std::string &folder : folders(data_path)) {
        auto model = LineModel::load(modelPath(folder, name));
        if (!model) continue;
        *is_latin = std::strcmp(name, "eng") != 0;
        *out = new cvision_line_reader{std::move(model)};
        return CVISION_OK;
      }
    return refuse(CVISION_NO_MODEL, "Tesseract has no data for lines of Latin script");
  });
}

void cvision_line_reader_free(cvision_line_reader *reader) { delete reader; }

cvision_status cvision_has_latin_model(const char *data_path, int *found) {
  return guarded([&] {
    *found = 0;
    for (const char *name : latinNames)
      for (const std::string &folder : folders(data_path))
        if (LineModel::load(modelPath(folder, name))) *found = 1;
    return CVISION_OK;
  });
}

cvision_status cvision_read_lines(
  const cvision_line_reader *reader, const cvision_frame *ink, int limit_ms, cvision_words *out) {
  return guarded([&] {
    *out = {};
    cv::Mat grey;
    cv::cvtColor(ink->bgr, grey, cv::COLOR_BGR2GRAY);
    const LineFinder finder(grey);
    const int64_t end = spent() + limit_ms;
    const auto &lines = finder.lines();
    const int usual = usualLetter(lines), height = reader->model->height;
    std::vector<Strip> strips;
    for (size_t i = 0; i < lines.size(); i++) {
      if (lines[i].letters <= dustLettersMax && lines[i].letter < usual * dustShare) continue;
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
