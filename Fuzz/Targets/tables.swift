// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A table for `screen` as a spreadsheet exports it, in whatever encoding: what is searched is text.
func fuzz(_ bytes: Data) {
  _ = try? ScreenFile.subjects(bytes) { _, subject in
    for name in (try? subject.get())?.names ?? [] {
      precondition(!name.unicodeScalars.contains("\0"), "A name has a character that is zero.")
    }
  }
  _ = try? ScreenFile.pairs(bytes) { _, one, other, _ in
    precondition(!(one + other).unicodeScalars.contains("\0"), "A name has a character that is zero.")
  }
}
