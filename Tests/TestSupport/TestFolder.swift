// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of one test, removed with the value.
package final class TestFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "gatehouse-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// - Parameter files: bytes by name.
  package convenience init(_ files: [String: Data]) throws {
    try self.init()
    for (name, bytes) in files { try bytes.write(to: url(name)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { "\(path)/\(name)" }
  package func url(_ name: String) -> URL { URL(fileURLWithPath: file(name)) }
}
