// SPDX-License-Identifier: Apache-2.0

/// How long a digest is: what the reader of its header needs to know of it.
enum TokenDigest {
  static let byteCount = 32
}
