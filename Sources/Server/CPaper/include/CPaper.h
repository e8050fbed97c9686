// SPDX-License-Identifier: Apache-2.0

#ifndef CPAPER_H
#define CPAPER_H

#include <stddef.h>

// Tagged PDF of text and tables, drawn by Cairo and Pango. All texts are UTF-8 that ends with a zero; sizes are points.
// A paper belongs to one thread at a time.

typedef struct cpaper cpaper;

/// Begins a document of A4 pages.
/// `language`: a tag of BCP 47. `is_rtl`: whether lines begin at the right. `created`: ISO 8601. `footer`: stands before
/// the number on every page.
/// Returns null when there is no memory.
cpaper *cpaper_begin(const char *title, const char *author, const char *language, int is_rtl, const char *created,
                     const char *footer);

/// A heading of level 1, 2 or 3.
void cpaper_heading(cpaper *paper, int level, const char *text);

void cpaper_paragraph(cpaper *paper, const char *text);

/// Begins a table. `shares`: the widths of its columns, in parts of the whole line. `ends`: not zero for columns whose
/// text stands at the end of the line, as amounts do. Its first row names the columns, and is repeated on every page.
/// At most 8 columns.
void cpaper_table(cpaper *paper, int columns, const double *shares, const unsigned char *ends);

/// A row of the table that was begun last.
void cpaper_row(cpaper *paper, const char *const *cells);

void cpaper_table_end(cpaper *paper);

/// Ends the document and frees it. `*bytes` has to be given to `cpaper_free`. `*missing` is how many of `*drawn`
/// characters of headings and names of columns no font of this machine has.
/// Returns 0, or the status of Cairo: then there are no bytes.
int cpaper_end(cpaper *paper, unsigned char **bytes, size_t *length, size_t *missing, size_t *drawn);

void cpaper_free(unsigned char *bytes);

/// Where a text begins in some bytes; -1 when it is not in them. Quick, since a document is searched several times.
long cpaper_find(const void *bytes, size_t length, const char *text);

#endif
