// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON value as JSON Schema sees it: numbers have one kind, and objects have no order.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// A decoder that tries one type after the other throws for most values, and the testing library takes a backtrace of
  /// every error: a third of the processor's time of a test that calls the API went into that.
  /// - Throws: when the bytes are not JSON.
  package init(json: Data) throws {
    self.init(try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    case let text as String: self = .string(text)
    case let members as [String: Any]: self = .object(members.mapValues { JSONValue($0) })
    case let elements as [Any]: self = .array(elements.map { JSONValue($0) })
    // A truth value is a number of the type `char`.
    case let number as NSNumber:
      self = String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .number(number.doubleValue)
    default: self = .null
    }
  }

  /// The word that `type` uses; a number without a fraction is an `integer` and a `number`.
  var typeNames: [String] {
    switch self {
    case .null: ["null"]
    case .bool: ["boolean"]
    case .number(let number): number.rounded() == number ? ["integer", "number"] : ["number"]
    case .string: ["string"]
    case .array: ["array"]
    case .object: ["object"]
    }
  }

  package subscript(member: String) -> JSONValue? { members?[member] }

  var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  /// The texts of an array of texts only.
  var texts: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.text)
    return texts.count == elements.count ? texts : nil
  }
}

extension JSONValue: Decodable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}
