// SPDX-License-Identifier: Apache-2.0

#pragma once

/// One YAML file of docs/api, built in: a part of the description of every route in OpenAPI 3.1.
struct api_file {
  /// As in the folder, such as `rubix.yaml`.
  const char *_Nonnull name;
  /// UTF-8, ends in a NUL.
  const char *_Nonnull yaml;
};

/// All of them, `api_files_count()` in number.
const struct api_file *_Nonnull api_files(void);

int api_files_count(void);
