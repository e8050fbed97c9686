// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Data {
  /// Consecutive numbers.
  init(counting range: Range<UInt8>) {
    self.init(Array(range))
  }

  /// The same with one bit changed in every byte in turn.
  var withEachByteChanged: [Data] {
    indices.map { place in
      var changed = self
      changed[place] ^= 1 << UInt8((place - startIndex) % 8)
      return changed
    }
  }
}
