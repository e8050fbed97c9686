// SPDX-License-Identifier: Apache-2.0

#ifndef CSPECIMEN_INTERNAL_H
#define CSPECIMEN_INTERNAL_H

#include <cairo/cairo.h>

#include "CSpecimen.h"

struct SpecimenCanvas {
  cairo_surface_t *surface;
  cairo_t *context;
  int width, height;
};

/// The premultiplied BGRA pixels (on little-endian machines), after everything drawn has reached them.
static inline uint8_t *specimen_pixels(SpecimenCanvas *canvas, int *stride) {
  cairo_surface_flush(canvas->surface);
  *stride = cairo_image_surface_get_stride(canvas->surface);
  return cairo_image_surface_get_data(canvas->surface);
}

static inline uint8_t specimen_clamp(double value) {
  return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

#endif
