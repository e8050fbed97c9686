// SPDX-License-Identifier: Apache-2.0

#pragma once

/// One file of the console's pages, built in: a template, a script, a style or words.
struct console_file {
  /// Without its folder, such as `Frame.mustache`.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  long count;
};

/// All of them, `console_files_count()` in number.
const struct console_file *_Nonnull console_files(void);

int console_files_count(void);
