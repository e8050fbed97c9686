import DocumentCore
import Foundation
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

  /// Members that a file of the format leaves out count as empty.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    referenceDate = try container.decode(CalendarDate.self, forKey: .referenceDate)
    checkDigits = try container.decodeIfPresent([CheckDigit].self, forKey: .checkDigits) ?? []
    names = try container.decodeIfPresent([Name].self, forKey: .names) ?? []
    corrections = try container.decodeIfPresent([Correction].self, forKey: .corrections) ?? []
    zones = try container.decodeIfPresent([Zone].self, forKey: .zones) ?? []
  }
}

/// Any JSON, compared by value: a null is not an absent member.
indirect enum JSONValue: Hashable, Sendable, Codable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
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
