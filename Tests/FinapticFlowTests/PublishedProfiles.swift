// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import TestSupport
import Testing

/// The sandbox profiles of the specification, when this checkout has them beside it (or under GATEHOUSE_SPEC): those of
/// every file `finaptic-test-profiles*.json`.
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
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

    /// An address with the members that the profile has.
    var address: FinapticAPI.Address {
      .init(
        type: self["type"].text, organization: self["organization"].text, line1: self["line1"].text,
        line2: self["line2"].text, line3: self["line3"].text, line4: self["line4"].text, line5: self["line5"].text,
        line6: self["line6"].text, line7: self["line7"].text, line8: self["line8"].text,
        locality: self["locality"].text, dependentLocality: self["dependentLocality"].text,
        doubleDependentLocality: self["doubleDependentLocality"].text,
        administrativeArea: self["administrativeArea"].text, subAdministrativeArea: self["subAdministrativeArea"].text,
        area: self["area"].text, postalCode: self["postalCode"].text, country: self["country"].text)
    }
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

  /// - Throws: when the file cannot be read: a profile that is not played must not count as one that passed.
  static func read(_ file: URL) throws -> [Profile] {
    try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).profiles.map {
      .init(id: $0.id, category: $0.category, input: $0.input, expect: $0.expect ?? .null)
    }
  }

  static let all: [Profile] = SpecificationFolder.finapticProfiles.flatMap { (try? read($0)) ?? [] }

  static func of(_ category: String) -> [Profile] { all.filter { $0.category == category } }
}
