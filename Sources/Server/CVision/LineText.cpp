#include "Engines.hpp"
#include "Guard.hpp"
#include "Lines.hpp"

#include <leptonica/allheaders.h>
#include <opencv2/imgproc.hpp>
#include <tesseract/ocrclass.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace cvision;

namespace {

/// The parts of a `.traineddata` file that a line recogniser needs: network, characters, their codes, version.
/// Tesseract numbers them in `tessdatamanager.h`.
constexpr int entriesMax = 64, neededParts[] = {17, 21, 22, 23};
/// Of a model without its dictionaries; Tesseract's best one of Latin script has 12 MB.
constexpr int64_t partsBytesMax = 64 << 20;

/// Where the parts of a `.traineddata` file begin (little-endian, as Tesseract's own files are). Empty when the file is
/// missing or no such model.
std::vector<int64_t> partOffsets(std::ifstream &file) {
  int32_t count = 0;
  if (!file.read(reinterpret_cast<char *>(&count), 4) || count < 24 || count > entriesMax) return {};
  std::vector<int64_t> offsets(static_cast<size_t>(count), 0);
  if (!file.read(reinterpret_cast<char *>(offsets.data()), count * 8)) return {};
  return offsets;
}

/// A model without its dictionaries: a table of offsets, then the parts, in the same order. Empty when the file is
/// missing or no such model.
std::string withoutDictionaries(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<int64_t> offsets = partOffsets(file);
  if (offsets.empty()) return "";
  const auto count = static_cast<int32_t>(offsets.size());
  std::vector<int64_t> placed(offsets.size(), -1);
  file.seekg(0, std::ios::end);
  const int64_t end = file.tellg();
  std::string body;
  const int64_t head = 4 + count * 8;
  for (int part : neededParts) {
    const int64_t from = offsets[size_t(part)];
    if (from < head || from >= end) continue;
    int64_t to = end;
    for (int64_t other : offsets) if (other > from) to = std::min(to, other);
    if (int64_t(body.size()) + to - from > partsBytesMax) return "";
    std::string bytes(size_t(to - from), '\0');
    file.seekg(from);
    if (!file.read(bytes.data(), to - from)) return "";
    placed[size_t(part)] = head + int64_t(body.size());
    body += bytes;
  }
  if (placed[17] < 0 || placed[21] < 0) return "";
  std::string model(reinterpret_cast<const char *>(&count), 4);
  model.append(reinterpret_cast<const char *>(placed.data()), size_t(count) * 8);
  return model + body;
}

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

bool isOver(void *end, int) { return spent() > *static_cast<int64_t *>(end); }

/// Height of the strips that the engine is given. It makes them 36 pixels high itself, by a worse filter.
constexpr int stripHeight = 40;
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

/// The words of the strip that the engine has just recognised, in the pixels of the page.
void takeWords(
  tesseract::TessBaseAPI &engine, const Line &line, const cv::Rect &inside, int number, std::vector<cvision_word> &to) {
  std::unique_ptr<tesseract::ResultIterator> at(engine.GetIterator());
  if (!at) return;
  const double scale = double(line.box.width) / inside.width;
  do {
    std::unique_ptr<char[]> text(at->GetUTF8Text(tesseract::RIL_WORD));
    int x0, y0, x1, y1;
    if (!text || !text[0] || text[0] == ' ' || !at->BoundingBox(tesseract::RIL_WORD, &x0, &y0, &x1, &y1)) continue;
    cvision_word word = {};
    // A character is not cut in two: what does not fit is no word of a document.
    if (std::strlen(text.get()) >= sizeof word.text) continue;
    std::strncpy(word.text, text.get(), sizeof word.text - 1);
    word.confidence = at->Confidence(tesseract::RIL_WORD) / 100;
    const double start = line.box.x, end = start + line.box.width;
    const double left = std::clamp(start + (x0 - inside.x) * scale, start, end - 1);
    const double right = std::clamp(start + (x1 - inside.x) * scale, left + 1, end);
    word.box = {float(left), float(line.box.y), float(right - left), float(line.box.height)};
    word.line = number;
    to.push_back(word);
  } while (to.size() < wordsMax && at->Next(tesseract::RIL_WORD));
}

}  // namespace

cvision_status cvision_line_reader_create(
  const char *data_path, int idle_max, cvision_reader **out, int *is_latin) {
  return guarded([&] {
    setMsgSeverity(L_SEVERITY_NONE);
    for (const char *name : {latinNames[0], latinNames[1], "eng"})
      for (const std::string &folder : folders(data_path)) {
        auto reader = std::make_unique<cvision_reader>();
        reader->model = withoutDictionaries(modelPath(folder, name));
        if (reader->model.empty()) continue;
        reader->language = name;
        reader->idleMax = size_t(std::max(1, idle_max));
        auto engine = reader->take();
        if (!engine) continue;
        engine->SetPageSegMode(tesseract::PSM_RAW_LINE);
        reader->give(std::move(engine));
        *is_latin = std::strcmp(name, "eng") != 0;
        *out = reader.release();
        return CVISION_OK;
      }
    return refuse(CVISION_NO_MODEL, "Tesseract has no data for lines of Latin script");
  });
}

cvision_status cvision_has_latin_model(const char *data_path, int *found) {
  return guarded([&] {
    *found = 0;
    for (const char *name : latinNames)
      for (const std::string &folder : folders(data_path)) {
        std::ifstream file(modelPath(folder, name), std::ios::binary);
        if (!partOffsets(file).empty()) *found = 1;
      }
    return CVISION_OK;
  });
}

cvision_status cvision_read_lines(
  cvision_reader *reader, const cvision_frame *ink, int limit_ms, cvision_words *out) {
  return guarded([&] {
    *out = {};
    cv::Mat grey;
    cv::cvtColor(ink->bgr, grey, cv::COLOR_BGR2GRAY);
    const LineFinder finder(grey);
    auto engine = reader->take();
    if (!engine) return refuse(CVISION_NO_MODEL, "Tesseract has no data for lines of Latin script");
    engine->SetPageSegMode(tesseract::PSM_RAW_LINE);
    // A strip is dark on white already; asked again the other way, what is hard to read costs twice as much.
    engine->SetVariable("tessedit_do_invert", "0");
    tesseract::ETEXT_DESC monitor;
    int64_t end = spent() + limit_ms;
    monitor.cancel = isOver;
    monitor.cancel_this = &end;
    std::vector<cvision_word> words;
    const auto &lines = finder.lines();
    const int usual = usualLetter(lines);
    for (size_t i = 0; i < lines.size() && words.size() < wordsMax && !isOver(&end, 0); i++) {
      if (lines[i].letters <= dustLettersMax && lines[i].letter < usual * dustShare) continue;
      cv::Rect inside;
      const cv::Mat strip = finder.cut(i, stripHeight, inside);
      engine->SetImage(strip.data, strip.cols, strip.rows, 1, int(strip.step));
      engine->SetSourceResolution(300);
      if (engine->Recognize(&monitor) == 0) takeWords(*engine, lines[i], inside, int(i), words);
    }
    reader->give(std::move(engine));
    if (words.empty()) return CVISION_OK;
    out->words = static_cast<cvision_word *>(std::malloc(words.size() * sizeof(cvision_word)));
    if (!out->words) return refuse(CVISION_FAILED, "memory");
    std::memcpy(out->words, words.data(), words.size() * sizeof(cvision_word));
    out->count = words.size();
    return CVISION_OK;
  });
}
