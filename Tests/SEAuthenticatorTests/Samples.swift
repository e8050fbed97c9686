// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

typealias Samples = SaltEdgeSamples

extension SaltEdgeSamples {
  static func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(with: try content(path))
  }

  static func object(_ path: String) throws -> [String: Any] { try #require(try json(path) as? [String: Any]) }

  static func key(_ name: String) throws -> String {
    String(decoding: try content("keys/\(name)_private.pem"), as: UTF8.self)
  }

  /// Skipped by its name when the file is not there.
  static func test(_ path: String) -> any SuiteTrait & TestTrait {
    .enabled(if: data(path) != nil, "\(path) is not there")
  }
}

extension [String: Any] {
  /// What is at the end of a path of members with dots between, as JSON text in UTF-8.
  func bytes(_ path: String) throws -> Data {
    let value = path.split(separator: ".").reduce(self as Any?) { ($0 as? [String: Any])?[String($1)] }
    return try JSONSerialization.data(withJSONObject: try #require(value, "\(path) is not there"))
  }
}
