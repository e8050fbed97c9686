// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Files of `powerauth-vectors` in the specification's folder, beside this checkout or under GATEHOUSE_SPEC.
enum VectorFile {
  /// The suite of a file, skipped by its name when it is not there.
  static func suite(_ name: String) -> any SuiteTrait & TestTrait {
    .enabled(if: data(name) != nil, "\(name).json is not there")
  }

  /// The cases of a file, numbered; none when it is not there.
  /// A file that is there and cannot be read is one case that fails.
  static func cases<Input: Decodable & Sendable, Output: Decodable & Sendable>(
    _ name: String, _ input: Input.Type = Input.self, _ output: Output.Type = Output.self
  ) -> [VectorCase<Input, Output>] {
    guard let data = data(name) else { return [] }
    do {
      let cases = try JSONDecoder().decode(Contents<Input, Output>.self, from: data).data
      guard !cases.isEmpty else { return [VectorCase(name: name, content: .failure(.init(reason: "has no cases")))] }
      return cases.enumerated().map { VectorCase(name: "\(name) \($0)", content: .success($1)) }
    } catch {
      return [VectorCase(name: name, content: .failure(.init(reason: "cannot be read: \(error)")))]
    }
  }

  private static func data(_ name: String) -> Data? { SpecificationFolder.data("powerauth-vectors/\(name).json") }

  private struct Contents<Input: Decodable, Output: Decodable>: Decodable {
    let data: [VectorPair<Input, Output>]
  }
}

struct VectorPair<Input: Decodable, Output: Decodable>: Decodable {
  let input: Input
  let output: Output
}

extension VectorPair: Sendable where Input: Sendable, Output: Sendable {}

/// One case of a file, or why the file could not be read.
struct VectorCase<Input: Decodable & Sendable, Output: Decodable & Sendable>: Sendable, CustomTestStringConvertible {
  struct Unreadable: Error {
    let reason: String
  }

  let name: String
  let content: Result<VectorPair<Input, Output>, Unreadable>
  var testDescription: String { name }

  func read() throws -> (input: Input, output: Output) {
    let pair = try content.get()
    return (pair.input, pair.output)
  }
}

/// A number that a file may hold as text.
struct VectorNumber: Decodable, Sendable {
  let value: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int.self) {
      self.value = value
      return
    }
    let text = try container.decode(String.self)
    let value = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    guard let value else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number") }
    self.value = value
  }
}
