// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files of `saltedge-samples` in the specification's folder, beside this checkout or under GATEHOUSE_SPEC. What there is,
/// its `INDEX.json` says; another folder holds other keys and transcripts.
package enum SaltEdgeSamples {
  private static let folder = SpecificationFolder.file("saltedge-samples")

  private struct Index: Decodable {
    let files: [String]
  }

  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  /// The index; nil when there is no folder.
  package static let index: [String]? = data("INDEX.json").flatMap {
    try? JSONDecoder().decode(Index.self, from: $0).files
  }

  /// The files whose paths begin so, by the index and by what lies there.
  package static func files(_ prefix: String) -> [String] {
    (index ?? []).filter { $0.hasPrefix(prefix) && data($0) != nil }
  }

  /// - Returns: nil when the file is not there.
  package static func data(_ path: String) -> Data? { try? Data(contentsOf: folder.appending(path: path)) }

  /// - Throws: `Missing`.
  package static func content(_ path: String) throws -> Data {
    guard let data = data(path) else { throw Missing(description: "\(path) is not there") }
    return data
  }
}
