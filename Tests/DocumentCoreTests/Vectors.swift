// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import OpenAPISupport
import TestSupport
import Testing

/// The vectors file of the specification, when this checkout has it beside it (or under GATEHOUSE_SPEC).
enum Vectors {
  static let data = SpecificationFolder.data("mrz-vectors.json")

  static let file: VectorsFile? = data.flatMap { try? JSONDecoder().decode(VectorsFile.self, from: $0) }

  static var isPresent: Bool { data != nil }
}

/// All members of the file, as far as tests use them.
struct VectorsFile: Decodable, Sendable {
  struct Zone: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let format: String?
    let lines: [String]
    let expected: JSONValue
    let alternativeExpected: JSONValue?
    var testDescription: String { id }

    private enum CodingKeys: String, CodingKey {
      case id, format, lines, expected
      case alternativeExpected = "alternative_expected"
    }
  }

  struct CheckDigit: Decodable, Sendable {
    let input: String
    let digit: Int
  }

  struct Name: Decodable, Sendable, CustomTestStringConvertible {
    let length: Int
    let surname: String
    let givenNames: String
    let accepted: [String]
    var testDescription: String { "\(surname), \(givenNames) in \(length)" }

    private enum CodingKeys: String, CodingKey {
      case surname, accepted
      case length = "name_field_length"
      case givenNames = "given_names"
    }
  }

  struct Correction: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let rawLines: [String]
    let expectedLines: [String]
    var testDescription: String { id }

    private enum CodingKeys: String, CodingKey {
      case id
      case rawLines = "raw_lines"
      case expectedLines = "expected_lines"
    }
  }

  let referenceDate: CalendarDate
  let checkDigits: [CheckDigit]
  let names: [Name]
  let corrections: [Correction]
  let zones: [Zone]

  private enum CodingKeys: String, CodingKey {
    case referenceDate = "reference_date"
    case checkDigits = "check_digit_vectors"
    case names = "name_encoding_vectors"
    case corrections = "ocr_correction_vectors"
    case zones = "vectors"
  }

  /// Members that a file of the format leaves out count as empty, but for `vectors`, which each has.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    referenceDate = try container.decode(CalendarDate.self, forKey: .referenceDate)
    checkDigits = try container.decodeIfPresent([CheckDigit].self, forKey: .checkDigits) ?? []
    names = try container.decodeIfPresent([Name].self, forKey: .names) ?? []
    corrections = try container.decodeIfPresent([Correction].self, forKey: .corrections) ?? []
    zones = try container.decode([Zone].self, forKey: .zones)
  }
}

extension JSONValue {
  /// Whether each member that a vector names has its value here; a vector may leave members out.
  func agrees(with expected: JSONValue) -> Bool {
    guard case .object(let wanted) = expected, case .object(let members) = self else { return self == expected }
    return wanted.allSatisfy { name, value in (members[name] ?? .null).agrees(with: value) }
  }

  /// The same value with the order of errors and warnings taken out.
  var withFindingsAsSets: JSONValue {
    guard case .object(var members) = self else { return self }
    for key in ["errors", "warnings"] {
      guard case .array(let values) = members[key] else { continue }
      members[key] = .array(values.sorted { "\($0)" < "\($1)" })
    }
    return .object(members)
  }
}
