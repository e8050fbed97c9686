// SPDX-License-Identifier: Apache-2.0

#include <cairo/cairo-ft.h>
#include <stdlib.h>

#include "internal.h"

/// What FreeType holds of one font file. Cairo may keep glyphs after the font is closed, so this dies with its face.
typedef struct {
  FT_Library library;
  FT_Face face;
} FontFile;

struct SpecimenFont {
  cairo_font_face_t *face;
};

static const cairo_user_data_key_t file_key;

static void font_file_free(void *pointer) {
  FontFile *file = pointer;
  if (file->face) FT_Done_Face(file->face);
  if (file->library) FT_Done_FreeType(file->library);
  free(file);
}

SpecimenFont *specimen_font_open(const char *path) {
  FontFile *file = calloc(1, sizeof *file);
  SpecimenFont *font = calloc(1, sizeof *font);
  if (!file || !font || FT_Init_FreeType(&file->library) || FT_New_Face(file->library, path, 0, &file->face)) {
    if (file) font_file_free(file);
    free(font);
    return NULL;
  }
  font->face = cairo_ft_font_face_create_for_ft_face(file->face, 0);
  if (cairo_font_face_set_user_data(font->face, &file_key, file, font_file_free) != CAIRO_STATUS_SUCCESS) {
    cairo_font_face_destroy(font->face);
    font_file_free(file);
    free(font);
    return NULL;
  }
  return font;
}

void specimen_font_close(SpecimenFont *font) {
  if (!font) return;
  cairo_font_face_destroy(font->face);
  free(font);
}

/// Unhinted and grey, so that glyph shapes and widths scale exactly and no machine's screen settings leak in.
static void use_font(cairo_t *context, SpecimenFont *font, double size) {
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(context, options);
  cairo_font_options_destroy(options);
  cairo_set_font_face(context, font->face);
  cairo_set_font_size(context, size);
}

void specimen_text(SpecimenCanvas *canvas, SpecimenFont *font, double size, double x, double y, const char *text) {
  use_font(canvas->context, font, size);
  cairo_move_to(canvas->context, x, y);
  cairo_show_text(canvas->context, text);
  cairo_new_path(canvas->context);
}

double specimen_text_width(SpecimenCanvas *canvas, SpecimenFont *font, double size, const char *text) {
  cairo_text_extents_t extents;
  use_font(canvas->context, font, size);
  cairo_text_extents(canvas->context, text, &extents);
  return extents.x_advance;
}
