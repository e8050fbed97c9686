// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

typealias SampleFolder = SaltEdgeSamples

extension SaltEdgeSamples {
  /// Skips a test by its name where there is no such file.
  static func needed(_ path: String) -> any SuiteTrait & TestTrait {
    .enabled(if: data(path) != nil, "\(path) is not there")
  }

  static func json<Value: Decodable>(_ path: String, _ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try content(path))
  }

  static func privateKey(_ name: String) throws -> RSAPrivateKey {
    try RSAPrivateKey(pem: String(decoding: try content("keys/\(name)_private.pem"), as: UTF8.self))
  }
}
