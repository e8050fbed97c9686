// SPDX-License-Identifier: Apache-2.0

/// libjpeg and libpng as they are used by default, for tests that compare the server's header reader with them.
#ifndef CCODECS_H
#define CCODECS_H

#include <stddef.h>
#include <stdint.h>

/// What a library finds in a file.
typedef struct {
  /// 1 when the library read a header, whatever it says.
  int opened;
  /// 1 when it decoded every pixel; a JPEG without a warning, to its end.
  int decoded;
  /// 1 when it also read a PNG to its end.
  int whole;
  int width, height, components, depth, scans;
  /// 1 for an arithmetic-coded JPEG.
  int arithmetic;
} codecs_finding;

/// Pictures of more than `pixels_max` pixels are opened and not decoded.
codecs_finding codecs_find_jpeg(const uint8_t *data, size_t count, long pixels_max);
codecs_finding codecs_find_png(const uint8_t *data, size_t count, long pixels_max);

typedef struct {
  uint8_t *data;
  size_t count;
} codecs_file;

enum {
  CODECS_GREY = 1,
  CODECS_PROGRESSIVE = 2,
  CODECS_RESTARTS = 4,
  CODECS_ARITHMETIC = 8,
  CODECS_CMYK = 16,
  /// One scan for each component.
  CODECS_APART = 32,
  /// Chroma of half the size.
  CODECS_HALVED = 64,
  /// Of one grey instead of noise.
  CODECS_FLAT = 128,
};

/// A picture of noise with the given `CODECS_` traits, and a comment. Free `data` with `free`.
codecs_file codecs_make_jpeg(int width, int height, int traits);
/// `colour` and `depth` as in IHDR; `extras` adds tRNS, gAMA, pHYs and a compressed text.
codecs_file codecs_make_png(int width, int height, int colour, int depth, int interlaced, int extras);

#endif
