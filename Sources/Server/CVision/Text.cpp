// SPDX-License-Identifier: Apache-2.0

#include "Engines.hpp"
#include "Guard.hpp"

#include <leptonica/allheaders.h>
#include <opencv2/imgproc.hpp>
#include <tesseract/ocrclass.h>

#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace cvision;
using tesseract::TessBaseAPI;

cvision_status cvision_reader_create(
  const char *data_path, const char *language, int idle_max, cvision_reader **out) {
  return guarded([&] {
    setMsgSeverity(L_SEVERITY_NONE);
    auto reader = std::make_unique<cvision_reader>();
    reader->dataPath = data_path ? data_path : "";
    reader->language = language;
    reader->idleMax = size_t(std::max(1, idle_max));
    auto engine = reader->take();
    if (!engine) return refuse(CVISION_NO_MODEL, "Tesseract has no data for this language");
    reader->give(std::move(engine));
    *out = reader.release();
    return CVISION_OK;
  });
}

void cvision_reader_free(cvision_reader *reader) { delete reader; }

int64_t cvision::spent() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

namespace {

bool isOver(void *end, int) { return spent() > *static_cast<int64_t *>(end); }

/// Runs an engine over a frame and gives each thing of a level to `take`, until it answers false.
template <typename Take>
cvision_status recognise(
  cvision_reader *reader, const cvision_frame *source, int segmentation, const char *alphabet, int limit_ms,
  tesseract::PageIteratorLevel level, Take &&take) {
  cv::Mat grey;
  cv::cvtColor(source->bgr, grey, cv::COLOR_BGR2GRAY);
  auto engine = reader->take();
  if (!engine) return refuse(CVISION_NO_MODEL, "Tesseract has no data for this language");
  engine->SetPageSegMode(static_cast<tesseract::PageSegMode>(segmentation));
  engine->SetVariable("tessedit_char_whitelist", alphabet ? alphabet : "");
  // Dictionaries "correct" names and fillers into words.
  engine->SetVariable("load_system_dawg", "0");
  engine->SetImage(grey.data, grey.cols, grey.rows, 1, int(grey.step));
  engine->SetSourceResolution(300);
  tesseract::ETEXT_DESC monitor;
  int64_t end = spent() + limit_ms;
  monitor.cancel = isOver;
  monitor.cancel_this = &end;
  if (engine->Recognize(&monitor) == 0) {
    std::unique_ptr<tesseract::ResultIterator> at(engine->GetIterator());
    int line = -1, word = -1;
    if (at) do {
        if (at->IsAtBeginningOf(tesseract::RIL_TEXTLINE)) line++;
        if (at->IsAtBeginningOf(tesseract::RIL_WORD)) word++;
        std::unique_ptr<char[]> text(at->GetUTF8Text(level));
        int x0, y0, x1, y1;
        if (!text || !at->BoundingBox(level, &x0, &y0, &x1, &y1) || !text[0] || text[0] == ' ') continue;
        cvision_box box = {float(x0), float(y0), float(x1 - x0), float(y1 - y0)};
        if (!take(text.get(), at->Confidence(level) / 100, box, word, line)) break;
      } while (at->Next(level));
  }
  reader->give(std::move(engine));
  return CVISION_OK;
}

/// Hands a vector over as memory that its caller frees.
template <typename Item>
cvision_status handOver(const std::vector<Item> &items, Item **out, size_t *count) {
  if (items.empty()) return CVISION_OK;
  *out = static_cast<Item *>(std::malloc(items.size() * sizeof(Item)));
  if (!*out) return refuse(CVISION_FAILED, "memory");
  std::memcpy(*out, items.data(), items.size() * sizeof(Item));
  *count = items.size();
  return CVISION_OK;
}

}  // namespace

cvision_status cvision_read_words(
  cvision_reader *reader, const cvision_frame *source, int segmentation, const char *alphabet, int limit_ms,
  cvision_words *out) {
  return guarded([&] {
    *out = {};
    std::vector<cvision_word> words;
    constexpr size_t wordsMax = 600;
    auto status = recognise(
      reader, source, segmentation, alphabet, limit_ms, tesseract::RIL_WORD,
      [&](const char *text, float confidence, cvision_box box, int, int line) {
        cvision_word word = {};
        std::strncpy(word.text, text, sizeof word.text - 1);
        word.confidence = confidence;
        word.box = box;
        word.line = line;
        words.push_back(word);
        return words.size() < wordsMax;
      });
    return status == CVISION_OK ? handOver(words, &out->words, &out->count) : status;
  });
}

void cvision_words_free(cvision_words *words) {
  std::free(words->words);
  *words = {};
}

cvision_status cvision_read_symbols(
  cvision_reader *reader, const cvision_frame *source, int segmentation, const char *alphabet, int limit_ms,
  cvision_symbols *out) {
  return guarded([&] {
    *out = {};
    std::vector<cvision_symbol> symbols;
    constexpr size_t symbolsMax = 4000;
    auto status = recognise(
      reader, source, segmentation, alphabet, limit_ms, tesseract::RIL_SYMBOL,
      [&](const char *text, float confidence, cvision_box box, int word, int) {
        cvision_symbol symbol = {};
        std::strncpy(symbol.text, text, sizeof symbol.text - 1);
        symbol.confidence = confidence;
        symbol.box = box;
        symbol.word = word;
        symbols.push_back(symbol);
        return symbols.size() < symbolsMax;
      });
    return status == CVISION_OK ? handOver(symbols, &out->symbols, &out->count) : status;
  });
}

void cvision_symbols_free(cvision_symbols *symbols) {
  std::free(symbols->symbols);
  *symbols = {};
}
