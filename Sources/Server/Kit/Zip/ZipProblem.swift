// SPDX-License-Identifier: Apache-2.0

/// Why an archive was not read. Names no entry.
package enum ZipProblem: Error, Sendable, Equatable, CaseIterable {
  case notAnArchive
  /// A length, an offset, a name or a check sum that does not hold.
  case damaged
  case encrypted
  /// ZIP64, several volumes, or a method other than stored and deflated.
  case unsupported
  case tooManyEntries
  /// An entry, or all of them, unpack to more than the limits.
  case tooLarge
  /// Two entries of one name: which one is meant would be a guess.
  case duplicateName
  /// Empty, not UTF-8, absolute, or a name that leads out of its folder.
  case unsafeName
}

/// What an archive of a stranger may hold.
package struct ZipLimits: Sendable {
  package var entriesMax: Int
  /// Unpacked.
  package var entryBytesMax: Int
  /// Unpacked, over all entries.
  package var totalBytesMax: Int

  package init(entriesMax: Int, entryBytesMax: Int, totalBytesMax: Int) {
    self.entriesMax = entriesMax
    self.entryBytesMax = entryBytesMax
    self.totalBytesMax = totalBytesMax
  }
}
