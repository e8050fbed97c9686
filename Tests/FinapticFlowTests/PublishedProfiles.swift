// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The sandbox profiles of the specification, when this checkout has them beside it (or under GATEHOUSE_SPEC). Any
/// other file of the same schema will do.
enum PublishedProfiles {
  struct Profile: Sendable, CustomTestStringConvertible {
    let id: String
    let category: String
    let input: Value
    let expect: Value
    var testDescription: String { id }
  }

  /// Whatever JSON holds.
  indirect enum Value: Decodable, Sendable {
    case null, flag(Bool), number(Double), text(String), list([Value]), object([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([Value].self) {
        self = .list(list)
      } else {
        self = .object(try container.decode([String: Value].self))
      }
    }

    subscript(_ name: String) -> Value { if case .object(let members) = self { members[name] ?? .null } else { .null } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
  }

  private struct File: Decodable {
    struct Profile: Decodable {
      let id: String
      let category: String
      let input: Value
      let expect: Value?
    }

    let profiles: [Profile]
  }

  static let all: [Profile] = {
    guard let data = SpecificationFolder.data("finaptic-test-profiles.json"),
      let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return file.profiles.map { .init(id: $0.id, category: $0.category, input: $0.input, expect: $0.expect ?? .null) }
  }()

  static func of(_ category: String) -> [Profile] { all.filter { $0.category == category } }
}
