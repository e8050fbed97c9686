// SPDX-License-Identifier: Apache-2.0

/// As much of how certain a field is as the reader of values names.
enum Certainty {
  static let wornCaptionMost = 0.89
}
