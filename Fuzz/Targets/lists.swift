// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

private let countries = CountryNames([("SE", "SWE", ["Sweden", "Swedish"]), ("KP", "PRK", ["North Korea"])])

/// A screening list as its publisher, or a broken download, hands it over; and what is kept of it.
func fuzz(_ bytes: Data) {
  _ = try? ListArchive.decode(bytes)
  guard let readings = try? ListReader.read([.init(name: "list", bytes: bytes)], countries: countries) else { return }
  for reading in readings {
    let kept = try? ListArchive.pieces(of: reading.list.entries).flatMap { try ListArchive.decode($0) }
    precondition(kept == reading.list.entries, "What is kept of a list is not what was read.")
  }
}
