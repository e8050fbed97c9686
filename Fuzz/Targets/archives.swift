// SPDX-License-Identifier: Apache-2.0

import Foundation

/// ZIP archives that a stranger sent: what comes out is within the limits, and has the check sums of its directory.
func fuzz(_ bytes: Data) {
  let limits = ZipLimits(entriesMax: 16, entryBytesMax: 1 << 20, totalBytesMax: 2 << 20)
  guard let archive = try? ZipArchive(bytes, limits: limits) else { return }
  precondition(archive.files.count <= limits.entriesMax)
  precondition(archive.files.values.allSatisfy { $0.count <= limits.entryBytesMax })
  precondition(archive.files.values.reduce(0) { $0 + $1.count } <= limits.totalBytesMax)
  let slash = UInt8(ascii: "/")
  precondition(
    archive.files.keys.allSatisfy { name in
      name.utf8.first != slash && !name.utf8.split(separator: slash).contains { $0.elementsEqual("..".utf8) }
    })
}
