// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a value stands. Nearly all bodies are right, so that it is links, and written out for a fault alone.
private final class Path {
  let parent: Path?
  let key: any CodingKey

  init(_ key: any CodingKey, below parent: Path?) {
    (self.parent, self.key) = (parent, key)
  }

  var keys: [any CodingKey] { (parent?.keys ?? []) + [key] }
}

/// An object of the body, and which of its members a type asked for.
private final class Visit {
  let members: [String: Any]
  let path: Path?
  private var asked: Set<String> = []

  init(_ members: [String: Any], at path: Path?) { (self.members, self.path) = (members, path) }

  func ask(_ member: String) { asked.insert(member) }
  var unknown: Set<String> { Set(members.keys).subtracting(asked) }
}

/// What a type asked of a body, and which members it is not to find there.
final class MemberLedger {
  private var visits: [Visit] = []
  /// Pointers of members that were at fault before.
  private let leftOut: Set<String>

  /// The last parts of these: a pointer is not written out for each element of a long array.
  private let names: Set<String>

  init(leavingOut pointers: Set<String> = []) {
    leftOut = pointers
    names = Set(pointers.map { JSONPointer.lastPart(of: $0) })
  }

  fileprivate func leavesOut(_ key: any CodingKey, below path: Path?) -> Bool {
    // Nearly all bodies are right.
    guard !leftOut.isEmpty, names.contains(key.stringValue) else { return false }
    return leftOut.contains(JSONPointer.text((path?.keys ?? []) + [key]))
  }

  fileprivate func visit(_ members: [String: Any], at path: Path?) -> Visit {
    let visit = Visit(members, at: path)
    visits.append(visit)
    return visit
  }

  func unknownPointers() -> [String] {
    guard visits.contains(where: { !$0.unknown.isEmpty }) else { return [] }
    // An object may be visited several times: what one of these asked for is known.
    var unknown: [String: Set<String>] = [:]
    for visit in visits {
      let pointer = JSONPointer.text(visit.path?.keys ?? [])
      unknown[pointer] = unknown[pointer]?.intersection(visit.unknown) ?? visit.unknown
    }
    return unknown.flatMap { pointer, members in members.map { pointer + JSONPointer.text($0) } }.sorted()
  }
}

private struct IndexKey: CodingKey {
  let index: Int
  var intValue: Int? { index }
  var stringValue: String { "\(index)" }
  init(_ index: Int) { self.index = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.init(intValue) }
}

/// A `Decoder` over the tree that JSONSerialization makes.
struct TreeDecoder: Decoder, SingleValueDecodingContainer {
  private let tree: Any
  /// Nil for the body itself.
  private let key: (any CodingKey)?
  private let parent: Path?
  fileprivate let ledger: MemberLedger
  /// Of an object.
  private let visit: Visit?
  /// Whether it stands for a member that is left out: every type finds its own empty value.
  fileprivate let isBlank: Bool
  fileprivate var path: Path? { visit?.path ?? key.map { Path($0, below: parent) } }
  var codingPath: [any CodingKey] { path?.keys ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The body itself.
  init(_ tree: Any, ledger: MemberLedger) { self.init(tree, nil, below: nil, ledger: ledger) }

  fileprivate init(
    _ tree: Any, _ key: (any CodingKey)?, below parent: Path?, ledger: MemberLedger, isBlank: Bool = false
  ) {
    (self.tree, self.key, self.parent, self.ledger, self.isBlank) = (tree, key, parent, ledger, isBlank)
    // Also for types that ask for nothing: whatever is there and is not asked for is unknown.
    visit = (tree as? [String: Any]).map { object in
      ledger.visit(object, at: key.map { Path($0, below: parent) })
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let visit = isBlank ? ledger.visit([:], at: path) : visit else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(Members<Key>(visit: visit, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let array = isBlank ? [] : tree as? [Any] else { throw mismatch([Any].self) }
    return Elements(array: array, decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { !isBlank && tree is NSNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    if isBlank { return false }
    guard let number = tree as? NSNumber, number.isBoolean else { throw mismatch(type) }
    return number.boolValue
  }

  func decode(_ type: String.Type) throws -> String {
    if isBlank { return "" }
    guard let text = tree as? String else { throw mismatch(type) }
    guard !text.utf8.contains(0) else {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "a NUL"))
    }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    if isBlank { return 0 }
    guard let number = tree as? NSNumber, !number.isBoolean else { throw mismatch(type) }
    return number.doubleValue
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

  private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    let double = try decode(Double.self)
    // Beyond 2^53 a JSON number is no longer exact (RFC 8259 §6).
    guard double.rounded() == double, abs(double) < 9_007_199_254_740_992, let value = Value(exactly: double) else {
      throw mismatch(type)
    }
    return value
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == Data.self {
      guard let data = Data(base64Encoded: try decode(String.self)) as? Value else {
        throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "not base64"))
      }
      return data
    }
    return try Value(from: self)
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    decodeNil()
      ? .valueNotFound(type, .init(codingPath: codingPath, debugDescription: ""))
      : .typeMismatch(type, .init(codingPath: codingPath, debugDescription: ""))
  }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let visit: Visit
  let decoder: TreeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] {
    let keys = visit.members.keys.compactMap { Key(stringValue: $0) }
    for key in keys { visit.ask(key.stringValue) }
    return keys
  }

  func contains(_ key: Key) -> Bool {
    visit.ask(key.stringValue)
    return visit.members[key.stringValue] != nil && !decoder.ledger.leavesOut(key, below: visit.path)
  }

  private func member(_ key: Key) throws -> Any {
    visit.ask(key.stringValue)
    guard let value = visit.members[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: ""))
    }
    return value
  }

  private func value(_ key: Key) throws -> TreeDecoder {
    guard !decoder.isBlank, !decoder.ledger.leavesOut(key, below: visit.path) else {
      return TreeDecoder(NSNull(), key, below: visit.path, ledger: decoder.ledger, isBlank: true)
    }
    return TreeDecoder(try member(key), key, below: visit.path, ledger: decoder.ledger)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key) is NSNull }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).decode(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).decode(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).decode(type) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try value(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

private struct Elements: UnkeyedDecodingContainer {
  let array: [Any]
  let decoder: TreeDecoder
  private let path: Path?
  var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex >= array.count }

  init(array: [Any], decoder: TreeDecoder) {
    self.array = array
    self.decoder = decoder
    path = decoder.path
  }

  private mutating func next() throws -> TreeDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(Any.self, .init(codingPath: codingPath, debugDescription: ""))
    }
    defer { currentIndex += 1 }
    let key = IndexKey(currentIndex)
    return TreeDecoder(
      array[currentIndex], key, below: path, ledger: decoder.ledger,
      isBlank: decoder.ledger.leavesOut(key, below: path))
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, array[currentIndex] is NSNull else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try next().decode(type) }
  mutating func decode(_ type: String.Type) throws -> String { try next().decode(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try next().decode(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try next().decode(type) }
  mutating func decode(_ type: Int.Type) throws -> Int { try next().decode(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().decode(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().decode(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().decode(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().decode(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next().decode(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().decode(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().decode(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().decode(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().decode(type) }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { decoder }
}

extension NSNumber {
  /// Foundation keeps JSON's true and false in numbers of this encoding.
  fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}
