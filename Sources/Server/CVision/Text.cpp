#include "Guard.hpp"

#include <leptonica/allheaders.h>
#include <opencv2/imgproc.hpp>
#include <tesseract/baseapi.h>
#include <tesseract/ocrclass.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

using namespace cvision;
using tesseract::TessBaseAPI;

/// An engine keeps about 15 MB of model, and takes a tenth of a second to make: keep a few, never share one.
struct cvision_reader {
  std::string dataPath, language;
  size_t idleMax;
  std::mutex lock;
  std::vector<std::unique_ptr<TessBaseAPI>> idle;

  std::unique_ptr<TessBaseAPI> take() {
    {
      std::lock_guard<std::mutex> held(lock);
      if (!idle.empty()) {
        auto engine = std::move(idle.back());
        idle.pop_back();
        return engine;
      }
    }
    auto engine = std::make_unique<TessBaseAPI>();
    if (engine->Init(dataPath.empty() ? nullptr : dataPath.c_str(), language.c_str(), tesseract::OEM_LSTM_ONLY) != 0)
      return nullptr;
    engine->SetVariable("debug_file", "/dev/null");
    return engine;
  }

  void give(std::unique_ptr<TessBaseAPI> engine) {
    engine->Clear();
    std::lock_guard<std::mutex> held(lock);
    if (idle.size() < idleMax) idle.push_back(std::move(engine));
  }
};

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

cvision_status cvision_read_words(
  cvision_reader *reader, const cvision_frame *source, int segmentation, const char *alphabet, int time_limit_ms,
  cvision_words *out) {
  return guarded([&] {
    *out = {};
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
    monitor.set_deadline_msecs(time_limit_ms);
    std::vector<cvision_word> words;
    constexpr size_t wordsMax = 600;
    if (engine->Recognize(&monitor) == 0) {
      std::unique_ptr<tesseract::ResultIterator> at(engine->GetIterator());
      int line = -1;
      if (at) do {
          if (at->IsAtBeginningOf(tesseract::RIL_TEXTLINE)) line++;
          std::unique_ptr<char[]> text(at->GetUTF8Text(tesseract::RIL_WORD));
          int x0, y0, x1, y1;
          if (!text || !at->BoundingBox(tesseract::RIL_WORD, &x0, &y0, &x1, &y1)) continue;
          cvision_word word = {};
          std::strncpy(word.text, text.get(), sizeof word.text - 1);
          word.confidence = at->Confidence(tesseract::RIL_WORD) / 100;
          word.box = {float(x0), float(y0), float(x1 - x0), float(y1 - y0)};
          word.line = line;
          if (word.text[0] && word.text[0] != ' ') words.push_back(word);
        } while (words.size() < wordsMax && at->Next(tesseract::RIL_WORD));
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

void cvision_words_free(cvision_words *words) {
  std::free(words->words);
  *words = {};
}
