// SPDX-License-Identifier: Apache-2.0

/// Drawing, photographing and encoding of specimen pictures, behind C.
///
/// Coordinates are doubles in the canvas' current user space. Colours are straight (not premultiplied) 0…1.
/// Nothing here is thread-safe for one object; different objects may be used on different threads.
#ifndef CSPECIMEN_H
#define CSPECIMEN_H

#include <stdint.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A 32-bit picture with a Cairo context.
typedef struct SpecimenCanvas SpecimenCanvas;
/// A font read from one file.
typedef struct SpecimenFont SpecimenFont;

/// One stop of a gradient.
typedef struct {
  double offset, red, green, blue, alpha;
} SpecimenStop;

/// Bytes that the caller frees by `specimen_bytes_free`; `data` is null when the making failed.
typedef struct {
  uint8_t *data;
  size_t count;
} SpecimenBytes;

/// How a fill meets what is already there.
typedef enum {
  SPECIMEN_OVER = 0,
  SPECIMEN_MULTIPLY = 1,
  SPECIMEN_SCREEN = 2,
  SPECIMEN_ADD = 3,
  SPECIMEN_KEEP_INSIDE = 4,
} SpecimenOperator;

// Life. `create` answers null when there is no memory for it or a side is outside 1…16384.
SpecimenCanvas *specimen_canvas_create(int32_t width, int32_t height);
void specimen_canvas_destroy(SpecimenCanvas *canvas);

// State.
void specimen_save(SpecimenCanvas *canvas);
void specimen_restore(SpecimenCanvas *canvas);
void specimen_translate(SpecimenCanvas *canvas, double x, double y);
void specimen_scale(SpecimenCanvas *canvas, double x, double y);
void specimen_rotate(SpecimenCanvas *canvas, double radians);
void specimen_operator(SpecimenCanvas *canvas, SpecimenOperator how);

// Path.
void specimen_new_path(SpecimenCanvas *canvas);
void specimen_move(SpecimenCanvas *canvas, double x, double y);
void specimen_line(SpecimenCanvas *canvas, double x, double y);
void specimen_curve(SpecimenCanvas *canvas, double x1, double y1, double x2, double y2, double x, double y);
void specimen_ellipse(SpecimenCanvas *canvas, double x, double y, double radius_x, double radius_y);
void specimen_rectangle(SpecimenCanvas *canvas, double x, double y, double width, double height, double radius);
void specimen_close(SpecimenCanvas *canvas);

// Paint. `fill` and `stroke` consume the path.
void specimen_colour(SpecimenCanvas *canvas, double red, double green, double blue, double alpha);
void specimen_linear(
  SpecimenCanvas *canvas, double x0, double y0, double x1, double y1, const SpecimenStop *stops, size_t count);
void specimen_radial(
  SpecimenCanvas *canvas, double x, double y, double radius, const SpecimenStop *stops, size_t count);
void specimen_fill(SpecimenCanvas *canvas);
void specimen_stroke(SpecimenCanvas *canvas, double width);
void specimen_clip(SpecimenCanvas *canvas);
/// Paints `source` into the rectangle given, stretched, with an opacity.
void specimen_picture(
  SpecimenCanvas *canvas, SpecimenCanvas *source, double x, double y, double width, double height, double alpha);

// Text. `font_open` answers null for a file that FreeType cannot read.
SpecimenFont *specimen_font_open(const char *path);
void specimen_font_close(SpecimenFont *font);
/// Draws UTF-8 text with its baseline at `y`.
void specimen_text(SpecimenCanvas *canvas, SpecimenFont *font, double size, double x, double y, const char *text);
double specimen_text_width(SpecimenCanvas *canvas, SpecimenFont *font, double size, const char *text);

// The camera. All work on whole pixels and ignore the current user space.
/// Lays `source` over the canvas through `inverse`, the row-major 3×3 map from canvas pixels to source pixels.
void specimen_warp(SpecimenCanvas *canvas, SpecimenCanvas *source, const double *inverse);
void specimen_blur(SpecimenCanvas *canvas, double sigma);
/// What a camera's grid makes of a screen's grid: soft bands of light across the picture, tinted, and fine ripples.
/// `period` is that of the bands in pixels, `angle` theirs in radians, `strength` their swing as a share of the light.
void specimen_moire(SpecimenCanvas *canvas, double period, double angle, double strength);
/// Adds sensor noise: one normal deviate for brightness, smaller ones for each colour.
void specimen_noise(SpecimenCanvas *canvas, double sigma, uint64_t seed);

// Files.
SpecimenBytes specimen_png(SpecimenCanvas *canvas);
/// - quality: 1…100.
SpecimenBytes specimen_jpeg(SpecimenCanvas *canvas, int32_t quality);
/// Replaces the canvas' pixels by what a JPEG of this quality keeps of them. Answers 0 on failure.
int32_t specimen_jpeg_round_trip(SpecimenCanvas *canvas, int32_t quality);
void specimen_bytes_free(SpecimenBytes bytes);

/// The modules of a PDF417 symbol (ISO/IEC 15438) with this payload: one byte each, 1 is dark, row by row, without
/// quiet zone; every logical row is one module high per `*rows`. Null data when the payload does not fit.
SpecimenBytes specimen_pdf417(const uint8_t *payload, size_t count, int32_t *columns, int32_t *rows);

/// The modules of a Code 128 symbol (ISO/IEC 15417) with this ASCII text: one byte each, 1 is dark, without quiet zone.
/// Null data when the text does not fit.
SpecimenBytes specimen_code128(const char *text);

#ifdef __cplusplus
}
#endif
#endif
