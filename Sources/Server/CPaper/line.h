// SPDX-License-Identifier: Apache-2.0

#ifndef CPAPER_LINE_H
#define CPAPER_LINE_H

#include <pango/pangocairo.h>

/// Draws one line of a laid-out text, with the text that its glyphs stand for.
void cpaper_show_line(cairo_t *cr, PangoLayoutLine *line, const char *text, double x, double baseline);

#endif
