// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <stdlib.h>

#include "internal.h"

SpecimenCanvas *specimen_canvas_create(int32_t width, int32_t height) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384) return NULL;
  SpecimenCanvas *canvas = calloc(1, sizeof *canvas);
  if (!canvas) return NULL;
  canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  canvas->context = cairo_create(canvas->surface);
  canvas->width = width;
  canvas->height = height;
  if (cairo_status(canvas->context) != CAIRO_STATUS_SUCCESS) {
    specimen_canvas_destroy(canvas);
    return NULL;
  }
  cairo_set_line_cap(canvas->context, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(canvas->context, CAIRO_LINE_JOIN_ROUND);
  return canvas;
}

void specimen_canvas_destroy(SpecimenCanvas *canvas) {
  if (!canvas) return;
  cairo_destroy(canvas->context);
  cairo_surface_destroy(canvas->surface);
  free(canvas);
}

void specimen_save(SpecimenCanvas *canvas) { cairo_save(canvas->context); }
void specimen_restore(SpecimenCanvas *canvas) { cairo_restore(canvas->context); }
void specimen_translate(SpecimenCanvas *canvas, double x, double y) { cairo_translate(canvas->context, x, y); }
void specimen_scale(SpecimenCanvas *canvas, double x, double y) { cairo_scale(canvas->context, x, y); }
void specimen_rotate(SpecimenCanvas *canvas, double radians) { cairo_rotate(canvas->context, radians); }

void specimen_operator(SpecimenCanvas *canvas, SpecimenOperator how) {
  static const cairo_operator_t operators[] = {
    CAIRO_OPERATOR_OVER, CAIRO_OPERATOR_MULTIPLY, CAIRO_OPERATOR_SCREEN, CAIRO_OPERATOR_ADD, CAIRO_OPERATOR_DEST_IN,
  };
  cairo_set_operator(canvas->context, operators[how]);
}

void specimen_new_path(SpecimenCanvas *canvas) { cairo_new_path(canvas->context); }
void specimen_move(SpecimenCanvas *canvas, double x, double y) { cairo_move_to(canvas->context, x, y); }
void specimen_line(SpecimenCanvas *canvas, double x, double y) { cairo_line_to(canvas->context, x, y); }
void specimen_close(SpecimenCanvas *canvas) { cairo_close_path(canvas->context); }

void specimen_curve(SpecimenCanvas *canvas, double x1, double y1, double x2, double y2, double x, double y) {
  cairo_curve_to(canvas->context, x1, y1, x2, y2, x, y);
}

void specimen_ellipse(SpecimenCanvas *canvas, double x, double y, double radius_x, double radius_y) {
  cairo_save(canvas->context);
  cairo_translate(canvas->context, x, y);
  cairo_scale(canvas->context, radius_x, radius_y);
  cairo_new_sub_path(canvas->context);
  cairo_arc(canvas->context, 0, 0, 1, 0, 2 * M_PI);
  cairo_close_path(canvas->context);
  cairo_restore(canvas->context);
}

void specimen_rectangle(SpecimenCanvas *canvas, double x, double y, double width, double height, double radius) {
  cairo_t *context = canvas->context;
  if (radius <= 0) {
    cairo_rectangle(context, x, y, width, height);
    return;
  }
  cairo_new_sub_path(context);
  cairo_arc(context, x + width - radius, y + radius, radius, -M_PI / 2, 0);
  cairo_arc(context, x + width - radius, y + height - radius, radius, 0, M_PI / 2);
  cairo_arc(context, x + radius, y + height - radius, radius, M_PI / 2, M_PI);
  cairo_arc(context, x + radius, y + radius, radius, M_PI, 3 * M_PI / 2);
  cairo_close_path(context);
}

void specimen_colour(SpecimenCanvas *canvas, double red, double green, double blue, double alpha) {
  cairo_set_source_rgba(canvas->context, red, green, blue, alpha);
}

static void use_gradient(
  SpecimenCanvas *canvas, cairo_pattern_t *pattern, const SpecimenStop *stops, size_t count) {
  for (size_t i = 0; i < count; i++) {
    cairo_pattern_add_color_stop_rgba(
      pattern, stops[i].offset, stops[i].red, stops[i].green, stops[i].blue, stops[i].alpha);
  }
  cairo_set_source(canvas->context, pattern);
  cairo_pattern_destroy(pattern);
}

void specimen_linear(
  SpecimenCanvas *canvas, double x0, double y0, double x1, double y1, const SpecimenStop *stops, size_t count) {
  use_gradient(canvas, cairo_pattern_create_linear(x0, y0, x1, y1), stops, count);
}

void specimen_radial(
  SpecimenCanvas *canvas, double x, double y, double radius, const SpecimenStop *stops, size_t count) {
  use_gradient(canvas, cairo_pattern_create_radial(x, y, 0, x, y, radius), stops, count);
}

void specimen_fill(SpecimenCanvas *canvas) { cairo_fill(canvas->context); }
void specimen_clip(SpecimenCanvas *canvas) { cairo_clip(canvas->context); }

void specimen_stroke(SpecimenCanvas *canvas, double width) {
  cairo_set_line_width(canvas->context, width);
  cairo_stroke(canvas->context);
}

void specimen_picture(
  SpecimenCanvas *canvas, SpecimenCanvas *source, double x, double y, double width, double height, double alpha) {
  cairo_t *context = canvas->context;
  cairo_surface_flush(source->surface);
  cairo_save(context);
  cairo_rectangle(context, x, y, width, height);
  cairo_clip(context);
  cairo_translate(context, x, y);
  cairo_scale(context, width / source->width, height / source->height);
  cairo_set_source_surface(context, source->surface, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD);
  cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD);
  cairo_paint_with_alpha(context, alpha);
  cairo_restore(context);
}
