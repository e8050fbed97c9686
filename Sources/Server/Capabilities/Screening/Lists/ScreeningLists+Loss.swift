// SPDX-License-Identifier: Apache-2.0

import Kit

/// A download that was cut between two rows is a list that can be read, and says less than it did.
extension ScreeningLists {
  /// A list that has less than this share of what it had is rather a broken download.
  private static let shareMin = 0.8

  /// What a list lost, if it is so much that a person has to look at it.
  ///
  /// Its entries are counted, and of OFAC's also the tables, the alternate names and the addresses, since a table can
  /// be left out or cut while all entries are there. What goes on in the table of comments cannot be counted.
  /// - Parameters:
  ///   - reading: is warned of when the version before cannot be read any more.
  ///   - last: the version before.
  /// - Returns: both numbers in words; nil when it lost little, or when the version before cannot be read any more.
  func loss(of reading: inout ListReader.Reading, since last: StoredList) async -> String? {
    let entries = reading.list.entries
    if let loss = Self.loss(of: ("entry", "entries"), from: last.entryCount, to: entries.count) { return loss }
    if reading.format == .ofacNames, last.format == .ofacNames,
      let loss = Self.loss(of: ("table", "tables"), from: last.files.count, to: reading.files.count)
    {
      return loss
    }
    guard reading.format == .ofacNames, reading.sha256 != last.sha256 else { return nil }
    guard let former = try? await load(last).entries else {
      reading.warnings.append(
        "version \(last.version.version), before it, cannot be read: alternate names and addresses were not compared")
      return nil
    }
    let tables: [(of: Words, count: (WatchList.Entry) -> Int)] = [
      (("alternate name", "alternate names"), { $0.names.count - 1 + $0.weakNames.count }),
      (("address", "addresses"), { $0.addresses.count }),
    ]
    return tables.lazy.compactMap { what, count in
      Self.loss(of: what, from: former.reduce(0) { $0 + count($1) }, to: entries.reduce(0) { $0 + count($1) })
    }.first
  }

  /// For one, and for many.
  private typealias Words = (one: String, many: String)

  private static func loss(of what: Words, from before: Int, to now: Int) -> String? {
    guard Double(now) < shareMin * Double(before) else { return nil }
    return "the list has \(now.counted(what.one, what.many)), \(before) before"
  }
}
