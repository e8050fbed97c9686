// SPDX-License-Identifier: Apache-2.0

// The one place where C++ exceptions become status codes.
#pragma once

#include <opencv2/core.hpp>

#include <exception>
#include <string>

#include "CVision.h"

struct cvision_frame {
  cv::Mat bgr;
};

namespace cvision {

/// Remembers a reason for `cvision_last_error` on this thread.
void remember(const std::string &reason);
/// Holds OpenCV and OpenMP to the calling thread; cheap after the first call.
void quieten();

/// Runs `body`; whatever it throws becomes `CVISION_FAILED`.
template <typename Body>
cvision_status guarded(Body &&body) noexcept {
  try {
    quieten();
    return body();
  } catch (const cv::Exception &error) {
    remember(error.err);
  } catch (const std::exception &error) {
    remember(error.what());
  } catch (...) {
    remember("unknown failure");
  }
  return CVISION_FAILED;
}

inline cvision_status refuse(cvision_status status, const char *reason) {
  remember(reason);
  return status;
}

inline cvision_frame *frame(cv::Mat bgr) { return new cvision_frame{std::move(bgr)}; }

/// `box` clipped to `size`.
inline cv::Rect clipped(const cvision_box &box, cv::Size size) {
  cv::Point from(cvFloor(box.x), cvFloor(box.y)), to(cvCeil(box.x + box.width), cvCeil(box.y + box.height));
  return cv::Rect(from, to) & cv::Rect(cv::Point(), size);
}

}  // namespace cvision
