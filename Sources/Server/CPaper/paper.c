// SPDX-License-Identifier: Apache-2.0

// For `memmem`.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CPaper.h"
#include "line.h"

#include <cairo/cairo-pdf.h>
#include <pango/pangocairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 8 };

// A4, and what is free at its edges.
static const double WIDTH = 595.28, HEIGHT = 841.89, MARGIN = 50, FOOTER = 28, GAP = 6, PADDING = 2.5;

struct cpaper {
  cairo_surface_t *surface;
  cairo_t *cr;
  PangoLayout *layout;
  /// Of the cells of a row: they are laid out once, for the row's height and to be drawn.
  PangoLayout *cells[COLUMNS_MAX];
  PangoFontDescription *font, *bold;
  int is_rtl;
  char *footer;
  int page;
  /// Where the next line begins.
  double y;
  unsigned char *bytes;
  size_t length, capacity;
  size_t missing, drawn;
  int columns;
  double shares[COLUMNS_MAX];
  unsigned char ends[COLUMNS_MAX];
  /// The cells of the first row; null before there was one.
  char *names[COLUMNS_MAX];
};

static cairo_status_t keep(void *closure, const unsigned char *data, unsigned int length) {
  cpaper *paper = closure;
  if (paper->length + length > paper->capacity) {
    size_t capacity = (paper->length + length) * 2;
    unsigned char *grown = realloc(paper->bytes, capacity);
    if (!grown) return CAIRO_STATUS_NO_MEMORY;
    paper->bytes = grown;
    paper->capacity = capacity;
  }
  memcpy(paper->bytes + paper->length, data, length);
  paper->length += length;
  return CAIRO_STATUS_SUCCESS;
}

static PangoLayout *layout(PangoContext *context, PangoAttrList *attributes) {
  PangoLayout *layout = pango_layout_new(context);
  // Every line has the direction of the document, whatever script a name on it is written in.
  pango_layout_set_auto_dir(layout, FALSE);
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_attributes(layout, attributes);
  return layout;
}

cpaper *cpaper_begin(const char *title, const char *author, const char *language, int is_rtl, const char *created,
                     const char *footer) {
  cpaper *paper = calloc(1, sizeof *paper);
  if (!paper) return NULL;
  paper->surface = cairo_pdf_surface_create_for_stream(keep, paper, WIDTH, HEIGHT);
  cairo_pdf_surface_set_metadata(paper->surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata(paper->surface, CAIRO_PDF_METADATA_AUTHOR, author);
  cairo_pdf_surface_set_metadata(paper->surface, CAIRO_PDF_METADATA_CREATE_DATE, created);
  paper->cr = cairo_create(paper->surface);
  // One context for all layouts: it remembers which font has which letters.
  PangoContext *context = pango_cairo_create_context(paper->cr);
  pango_context_set_language(context, pango_language_from_string(language));
  pango_context_set_base_dir(context, is_rtl ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR);
  // A joined glyph has the text of several letters. What has to be joined, as lam and alef are, stays so.
  PangoAttrList *attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_font_features_new("liga=0, clig=0, dlig=0"));
  paper->layout = layout(context, attributes);
  for (int at = 0; at < COLUMNS_MAX; at++) paper->cells[at] = layout(context, attributes);
  pango_attr_list_unref(attributes);
  g_object_unref(context);
  paper->font = pango_font_description_from_string("DejaVu Sans");
  paper->bold = pango_font_description_copy(paper->font);
  pango_font_description_set_weight(paper->font, PANGO_WEIGHT_NORMAL);
  pango_font_description_set_weight(paper->bold, PANGO_WEIGHT_BOLD);
  paper->is_rtl = is_rtl;
  paper->footer = strdup(footer);
  paper->y = MARGIN;
  cairo_tag_begin(paper->cr, "Document", NULL);
  return paper;
}

/// Lays a text out and returns its height.
static double lay(cpaper *paper, PangoLayout *layout, const char *text, double size, int is_bold, double width,
                  int at_end) {
  PangoFontDescription *font = is_bold ? paper->bold : paper->font;
  pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
  int is_right = at_end ? !paper->is_rtl : paper->is_rtl;
  pango_layout_set_alignment(layout, is_right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  pango_layout_set_text(layout, text, -1);
  PangoRectangle box;
  pango_layout_get_extents(layout, NULL, &box);
  return (double)box.height / PANGO_SCALE;
}

/// Draws what was laid out, run by run in the order of reading.
static void show(cpaper *paper, PangoLayout *layout, double x, double y) {
  PangoLayoutIter *at = pango_layout_get_iter(layout);
  const char *text = pango_layout_get_text(layout);
  do {
    PangoRectangle box;
    pango_layout_iter_get_line_extents(at, NULL, &box);
    cpaper_show_line(paper->cr, pango_layout_iter_get_line_readonly(at), text, x + (double)box.x / PANGO_SCALE,
                     y + (double)pango_layout_iter_get_baseline(at) / PANGO_SCALE);
  } while (pango_layout_iter_next_line(at));
  pango_layout_iter_free(at);
}

/// Headings and the names of columns are the program's own words. All else may be what strangers wrote, in letters that
/// no font has, and says nothing of the machine's fonts.
static int is_own_words(const char *tag) { return tag[0] == 'H' || strcmp(tag, "TH") == 0; }

/// Draws what was laid out, as one element of the document's structure.
static void draw(cpaper *paper, PangoLayout *layout, const char *tag, double x, double y) {
  cairo_tag_begin(paper->cr, tag, NULL);
  show(paper, layout, x, y);
  cairo_tag_end(paper->cr, tag);
  if (!is_own_words(tag)) return;
  int missing = pango_layout_get_unknown_glyphs_count(layout);
  paper->missing += missing > 0 ? (size_t)missing : 0;
  paper->drawn += (size_t)pango_layout_get_character_count(layout);
}

static void end_page(cpaper *paper) {
  paper->page += 1;
  char *text = g_strdup_printf("%s \xC2\xB7 %d", paper->footer, paper->page);
  lay(paper, paper->layout, text, 7.5, 0, WIDTH - 2 * MARGIN, 0);
  draw(paper, paper->layout, "P", MARGIN, HEIGHT - MARGIN + 4);
  g_free(text);
  cairo_show_page(paper->cr);
  paper->y = MARGIN;
}

static int fits(const cpaper *paper, double height) {
  return paper->y + height <= HEIGHT - MARGIN - FOOTER + 20 || paper->y <= MARGIN;
}

static void block(cpaper *paper, const char *tag, const char *text, double size, int is_bold, double before,
                  double with) {
  double height = lay(paper, paper->layout, text, size, is_bold, WIDTH - 2 * MARGIN, 0);
  if (!fits(paper, before + height + with)) {
    end_page(paper);
    lay(paper, paper->layout, text, size, is_bold, WIDTH - 2 * MARGIN, 0);
  }
  if (paper->y > MARGIN) paper->y += before;
  draw(paper, paper->layout, tag, MARGIN, paper->y);
  paper->y += height + GAP;
}

void cpaper_heading(cpaper *paper, int level, const char *text) {
  static const char *const tags[] = {"H1", "H2", "H3"};
  static const double sizes[] = {17, 12, 10};
  int at = level < 1 ? 0 : level > 3 ? 2 : level - 1;
  // A heading does not stand alone at the foot of a page.
  block(paper, tags[at], text, sizes[at], 1, 8, 60);
}

void cpaper_paragraph(cpaper *paper, const char *text) { block(paper, "P", text, 9, 0, 0, 0); }

/// Lays the cells of a row out and returns its height.
static double lay_row(cpaper *paper, const char *const *cells, int is_header) {
  double height = 0;
  for (int at = 0; at < paper->columns; at++) {
    double width = paper->shares[at] * (WIDTH - 2 * MARGIN) - GAP;
    double own = lay(paper, paper->cells[at], cells[at], 8, is_header, width, paper->ends[at]);
    if (own > height) height = own;
  }
  return height + 2 * PADDING;
}

/// Draws the row that was laid out last.
static void put_row(cpaper *paper, int is_header, double height) {
  double line = WIDTH - 2 * MARGIN, x = 0;
  cairo_tag_begin(paper->cr, "TR", NULL);
  for (int at = 0; at < paper->columns; at++) {
    double width = paper->shares[at] * line;
    double left = paper->is_rtl ? MARGIN + line - x - width + GAP : MARGIN + x;
    draw(paper, paper->cells[at], is_header ? "TH" : "TD", left, paper->y + PADDING);
    x += width;
  }
  cairo_tag_end(paper->cr, "TR");
  paper->y += height;
}

void cpaper_table(cpaper *paper, int columns, const double *shares, const unsigned char *ends) {
  paper->columns = columns < 1 ? 1 : columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
  double sum = 0;
  for (int at = 0; at < paper->columns; at++) sum += shares[at];
  for (int at = 0; at < paper->columns; at++) {
    paper->shares[at] = shares[at] / sum;
    paper->ends[at] = ends[at];
  }
  cairo_tag_begin(paper->cr, "Table", NULL);
}

void cpaper_row(cpaper *paper, const char *const *cells) {
  int is_header = !paper->names[0];
  double height = lay_row(paper, cells, is_header);
  // The names of columns do not stand alone at the foot of a page.
  if (!fits(paper, is_header ? height * 3 : height)) {
    // A table ends with its page and begins again with its names, so that the foot of the page is outside of it.
    cairo_tag_end(paper->cr, "Table");
    end_page(paper);
    cairo_tag_begin(paper->cr, "Table", NULL);
    const char *const *names = (const char *const *)paper->names;
    if (!is_header) {
      put_row(paper, 1, lay_row(paper, names, 1));
      height = lay_row(paper, cells, 0);
    }
  }
  put_row(paper, is_header, height);
  if (is_header)
    for (int at = 0; at < paper->columns; at++) paper->names[at] = strdup(cells[at]);
}

void cpaper_table_end(cpaper *paper) {
  cairo_tag_end(paper->cr, "Table");
  for (int at = 0; at < COLUMNS_MAX; at++) {
    free(paper->names[at]);
    paper->names[at] = NULL;
  }
  paper->columns = 0;
  paper->y += GAP * 2;
}

int cpaper_end(cpaper *paper, unsigned char **bytes, size_t *length, size_t *missing, size_t *drawn) {
  end_page(paper);
  cairo_tag_end(paper->cr, "Document");
  cairo_status_t status = cairo_status(paper->cr);
  g_object_unref(paper->layout);
  for (int at = 0; at < COLUMNS_MAX; at++) g_object_unref(paper->cells[at]);
  pango_font_description_free(paper->font);
  pango_font_description_free(paper->bold);
  cairo_destroy(paper->cr);
  cairo_surface_finish(paper->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(paper->surface);
  cairo_surface_destroy(paper->surface);
  *missing = paper->missing;
  *drawn = paper->drawn;
  if (status == CAIRO_STATUS_SUCCESS) {
    *bytes = paper->bytes;
    *length = paper->length;
  } else {
    free(paper->bytes);
    *bytes = NULL;
    *length = 0;
  }
  free(paper->footer);
  free(paper);
  return (int)status;
}

void cpaper_free(unsigned char *bytes) { free(bytes); }

long cpaper_find(const void *bytes, size_t length, const char *text) {
  if (!bytes) return -1;
  const char *found = memmem(bytes, length, text, strlen(text));
  return found ? (long)(found - (const char *)bytes) : -1;
}
