// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// JSON as Swift apps and Foundation have it, which is what the published surface speaks.
extension JSONValue {
  /// - Throws: when something in it is no JSON.
  static func members(of object: [String: Any]) throws -> [String: JSONValue] {
    guard JSONSerialization.isValidJSONObject(object) else {
      throw CallFailure(.wrongParameter, "These values are no JSON.")
    }
    return try JSONDecoder().decode([String: JSONValue].self, from: JSONSerialization.data(withJSONObject: object))
  }

  /// The value as an app reads it; `null` is `NSNull`.
  var native: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): Int(exactly: value) ?? value
    case .number(let value): value
    case .string(let value): value
    case .array(let elements): elements.map(\.native)
    case .object(let members): members.mapValues(\.native)
    }
  }

  /// The value as an object of Foundation, whose text, numbers, lists and objects an app casts to Swift's.
  var object: NSObject {
    switch self {
    case .null: NSNull()
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .number(let value): NSNumber(value: value)
    case .string(let value): NSString(string: value)
    case .array(let elements): NSArray(array: elements.map(\.object))
    case .object(let members):
      NSDictionary(
        objects: Array(members.values.map(\.object)), forKeys: members.keys.map { NSString(string: $0) })
    }
  }
}
