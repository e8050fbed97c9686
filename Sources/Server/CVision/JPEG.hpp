// SPDX-License-Identifier: Apache-2.0

// How libjpeg is held to one picture: its failures are jumps, and damaged data are failures.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>

#include "CVision.h"

namespace cvision {

struct JPEGErrors {
  jpeg_error_mgr base;
  jmp_buf escape;
  int scansMax;
};

inline void fail(j_common_ptr info) { longjmp(reinterpret_cast<JPEGErrors *>(info->err)->escape, 1); }

inline void failAtWarnings(j_common_ptr info, int level) {
  // −1 is a warning of damaged data: here an image is whole or it is refused, before more work is done for it.
  if (level < 0) fail(info);
}

inline void silent(j_common_ptr) {}

/// What libjpeg may hold for the coefficients of a file of several scans: three or four components of two bytes a
/// pixel, and the blocks that stick out at the edges. It fails when it needs more, for it has no backing store.
inline long coefficientBytesMax(const cvision_header &header) {
  return long(header.width) * header.height * (header.components == 4 ? 9 : 7) + (4L << 20);
}

}  // namespace cvision
