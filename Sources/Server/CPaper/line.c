// SPDX-License-Identifier: Apache-2.0

#include "line.h"

#include <harfbuzz/hb.h>
#include <stdlib.h>

// Pango draws the runs of a line from the left and marks a glyph whose text is not its character with `ActualText`. In
// a tagged document the order of drawing is the order of reading, and readers on Poppler lose what follows such a mark
// in its element. So the runs are drawn here, in the order of their text, and a joined lam and alef is given the text
// of its own character in Unicode (Arabic Presentation Forms-B), which readers take for both letters (NFKC).

/// The character of a joined lam and alef; 0 for any other glyph.
static unsigned int lam_alef(hb_font_t *font, PangoGlyph glyph) {
  for (unsigned int character = 0xFEF5; character <= 0xFEFC; character++) {
    hb_codepoint_t found = 0;
    if (hb_font_get_nominal_glyph(font, character, &found) && found == glyph) return character;
  }
  return 0;
}

/// What is drawn for a glyph of Pango's: a space at the end of a line and a character that no font has get glyphs, so
/// that words do not run together and a missing letter is seen. `PANGO_GLYPH_EMPTY` when nothing is drawn.
static PangoGlyph drawn_glyph(const PangoGlyphInfo *info, char text, PangoFont *font) {
  hb_codepoint_t found = 0;
  if (info->glyph & PANGO_GLYPH_UNKNOWN_FLAG) {
    hb_font_t *own = pango_font_get_hb_font(font);
    if (hb_font_get_nominal_glyph(own, 0xFFFD, &found) || hb_font_get_nominal_glyph(own, '?', &found)) return found;
    return PANGO_GLYPH_EMPTY;
  }
  if (info->glyph == PANGO_GLYPH_EMPTY && text == ' ' &&
      hb_font_get_nominal_glyph(pango_font_get_hb_font(font), ' ', &found))
    return found;
  return info->glyph;
}

/// The text of a cluster, as far as it is drawn.
static void append_text(GString *into, const char *text, int length, PangoFont *font, PangoGlyph glyph, int glyphs,
                        int is_missing) {
  if (is_missing) {
    g_string_append_unichar(into, 0xFFFD);
    return;
  }
  if (glyphs == 1 && g_utf8_strlen(text, length) == 2) {
    unsigned int joined = lam_alef(pango_font_get_hb_font(font), glyph);
    if (joined) {
      g_string_append_unichar(into, joined);
      return;
    }
  }
  g_string_append_len(into, text, length);
}

static void show_run(cairo_t *cr, PangoGlyphItem *run, const char *text, double x, double baseline) {
  PangoFont *font = run->item->analysis.font;
  // Without any font there is nothing to draw with.
  if (!font) return;
  PangoGlyphString *all = run->glyphs;
  cairo_glyph_t *glyphs = g_new(cairo_glyph_t, all->num_glyphs);
  cairo_text_cluster_t *clusters = g_new(cairo_text_cluster_t, all->num_glyphs);
  GString *drawn = g_string_new(NULL);
  PangoGlyph *shown_glyphs = g_new(PangoGlyph, all->num_glyphs);
  int count = 0, parts = 0, pen = 0;
  for (int at = 0; at < all->num_glyphs; at++) {
    PangoGlyphInfo *info = &all->glyphs[at];
    PangoGlyph one = drawn_glyph(info, text[run->item->offset + all->log_clusters[at]], font);
    shown_glyphs[at] = one;
    if (one != PANGO_GLYPH_EMPTY) {
      glyphs[count].index = one;
      glyphs[count].x = x + (double)(pen + info->geometry.x_offset) / PANGO_SCALE;
      glyphs[count].y = baseline + (double)info->geometry.y_offset / PANGO_SCALE;
      count += 1;
    }
    pen += info->geometry.width;
  }
  PangoGlyphItemIter iter;
  for (gboolean more = pango_glyph_item_iter_init_start(&iter, run, text); more;
       more = pango_glyph_item_iter_next_cluster(&iter)) {
    int first = iter.start_glyph < iter.end_glyph ? iter.start_glyph : iter.end_glyph + 1;
    int end = iter.start_glyph < iter.end_glyph ? iter.end_glyph : iter.start_glyph + 1;
    int shown = 0, is_missing = 0;
    PangoGlyph glyph = 0;
    for (int at = first; at < end; at++) {
      if (shown_glyphs[at] == PANGO_GLYPH_EMPTY) continue;
      shown += 1;
      glyph = shown_glyphs[at];
      if (all->glyphs[at].glyph & PANGO_GLYPH_UNKNOWN_FLAG) is_missing = 1;
    }
    // Marks of direction have no glyph.
    if (shown == 0) continue;
    gsize before = drawn->len;
    append_text(drawn, text + iter.start_index, iter.end_index - iter.start_index, font, glyph, shown,
                is_missing);
    clusters[parts].num_bytes = (int)(drawn->len - before);
    clusters[parts].num_glyphs = shown;
    parts += 1;
  }
  if (count > 0) {
    int is_backward = run->item->analysis.level & 1;
    cairo_set_scaled_font(cr, pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(font)));
    cairo_show_text_glyphs(cr, drawn->str, (int)drawn->len, glyphs, count, clusters, parts,
                           is_backward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
  }
  g_string_free(drawn, TRUE);
  g_free(shown_glyphs);
  g_free(clusters);
  g_free(glyphs);
}

typedef struct {
  PangoGlyphItem *run;
  double x;
} placed_run;

static int by_text(const void *left, const void *right) {
  int one = ((const placed_run *)left)->run->item->offset, other = ((const placed_run *)right)->run->item->offset;
  return (one > other) - (one < other);
}

void cpaper_show_line(cairo_t *cr, PangoLayoutLine *line, const char *text, double x, double baseline) {
  guint count = g_slist_length(line->runs), at = 0;
  placed_run *runs = g_new(placed_run, count);
  int pen = 0;
  for (GSList *run = line->runs; run; run = run->next) {
    runs[at].run = run->data;
    runs[at].x = x + (double)pen / PANGO_SCALE;
    pen += pango_glyph_string_get_width(runs[at].run->glyphs);
    at += 1;
  }
  qsort(runs, count, sizeof *runs, by_text);
  for (at = 0; at < count; at++) show_run(cr, runs[at].run, text, runs[at].x, baseline);
  g_free(runs);
}
