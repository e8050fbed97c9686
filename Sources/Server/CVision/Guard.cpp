// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <dlfcn.h>
#include <opencv2/core/utils/logger.hpp>

#include <cstdlib>
#include <mutex>

namespace cvision {

namespace {
thread_local std::string lastError;
std::once_flag once;
}  // namespace

void remember(const std::string &reason) {
  try {
    lastError = reason.substr(0, 300);
  } catch (...) {
    lastError.clear();
  }
}

void quieten() {
  // Parallelism is the server's affair: one image, one thread. OpenCV's and OpenMP's own pools would multiply it.
  std::call_once(once, [] {
    cv::setNumThreads(1);
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    cv::redirectError([](int, const char *, const char *, const char *, int, void *) { return 0; });
  });
  // Tesseract asks for four threads by name, which overrides `omp_set_num_threads`; a parallel region beyond the most
  // active levels runs on its caller's thread whatever it asks for (OpenMP 5.0 §2.6.1). The limit is the calling
  // thread's own.
  thread_local bool single = [] {
    if (auto limit = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"))) limit(0);
    return true;
  }();
  (void)single;
}

}  // namespace cvision

const char *cvision_last_error(void) { return cvision::lastError.c_str(); }

void cvision_bytes_free(cvision_bytes *bytes) {
  std::free(bytes->data);
  *bytes = {};
}
