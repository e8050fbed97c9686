// SPDX-License-Identifier: Apache-2.0

extension ScreeningIndex {
  /// Entries of all lists.
  var entryCount: Int { entries.count }

  /// An entry by its number from 0, with the code of its list.
  func listed(_ number: Int) -> (entry: WatchList.Entry, code: String) {
    (entries[number], versions[entries.list(of: number)].code)
  }
}
