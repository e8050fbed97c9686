// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

typealias SampleFolder = SaltEdgeSamples

extension SaltEdgeSamples {
  /// The suite of a file or of several, skipped by its name when a file is missing.
  static func suite(_ prefix: String) -> any SuiteTrait & TestTrait {
    .enabled(if: !files(prefix).isEmpty, "\(prefix) is not there")
  }

  static func json<Value: Decodable>(_ path: String, _ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try content(path))
  }

  /// The cases of a file, numbered. A file that is there and cannot be read, or has none, is one case that fails.
  static func cases<Content: Decodable, Case: Sendable>(
    _ path: String, _ content: Content.Type, _ cases: (Content) -> [Case]
  ) -> [Sample<Case>] {
    guard let data = data(path) else { return [] }
    do {
      let cases = cases(try JSONDecoder().decode(Content.self, from: data))
      guard !cases.isEmpty else { return [Sample(name: path, content: .failure(.init(reason: "has no cases")))] }
      return cases.enumerated().map { Sample(name: "\(path) \($0)", content: .success($1)) }
    } catch {
      return [Sample(name: path, content: .failure(.init(reason: "cannot be read: \(error)")))]
    }
  }

  static func privateKey(_ name: String) throws -> RSAPrivateKey {
    try keys.get(name) { try RSAPrivateKey(pem: text("keys/\(name)_private.pem")) }
  }

  static func publicKey(_ name: String) throws -> RSAPublicKey {
    try RSAPublicKey(pem: text("keys/\(name)_public.pem"))
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try content(path), as: UTF8.self)
  }

  private static let keys = Cache<RSAPrivateKey>()
}

/// One case of a file, or why the file could not be read.
struct Sample<Case: Sendable>: Sendable, CustomTestStringConvertible {
  struct Unreadable: Error {
    let reason: String
  }

  let name: String
  let content: Result<Case, Unreadable>
  var testDescription: String { name }

  func read() throws -> Case { try content.get() }
}
