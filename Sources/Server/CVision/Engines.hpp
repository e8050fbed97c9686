// SPDX-License-Identifier: Apache-2.0

// Tesseract's engines, kept warm.
#pragma once

#include <tesseract/baseapi.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "CVision.h"

/// An engine keeps up to 15 MB of model, and takes a tenth of a second to make: keep a few, never share one.
struct cvision_reader {
  std::string dataPath, language;
  size_t idleMax = 1;
  std::mutex lock;
  std::vector<std::unique_ptr<tesseract::TessBaseAPI>> idle;

  /// An idle engine or a new one; null when there is no data for the language.
  std::unique_ptr<tesseract::TessBaseAPI> take() {
    {
      std::lock_guard<std::mutex> held(lock);
      if (!idle.empty()) {
        auto engine = std::move(idle.back());
        idle.pop_back();
        return engine;
      }
    }
    auto engine = std::make_unique<tesseract::TessBaseAPI>();
    const int status =
      engine->Init(dataPath.empty() ? nullptr : dataPath.c_str(), language.c_str(), tesseract::OEM_LSTM_ONLY);
    if (status != 0) return nullptr;
    engine->SetVariable("debug_file", "/dev/null");
    return engine;
  }

  void give(std::unique_ptr<tesseract::TessBaseAPI> engine) {
    engine->Clear();
    std::lock_guard<std::mutex> held(lock);
    if (idle.size() < idleMax) idle.push_back(std::move(engine));
  }
};

namespace cvision {

/// Processor time of this thread, in milliseconds. A busy machine makes a reading longer, and no worse.
int64_t spent();

}  // namespace cvision
