// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One value as a SQL engine stores it. Booleans travel as 0 and 1, instants as milliseconds.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

extension SQLValue {
  /// Nil is NULL.
  package static func text(orNull text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
  /// Nil is NULL.
  package static func integer(orNull number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }
}

/// A type that can be bound to a statement and read back from a row.
package protocol SQLConvertible: Sendable {
  var sqlValue: SQLValue { get }
  /// - Throws: `SQLError.unreadable` when the stored value is not of this type.
  init(sqlValue: SQLValue) throws
}

extension String: SQLConvertible {
  package var sqlValue: SQLValue { .text(self) }
  package init(sqlValue: SQLValue) throws {
    guard case .text(let text) = sqlValue else { throw SQLError.unreadable("expected text") }
    self = text
  }
}

extension String {
  /// Whether it holds what no engine keeps. The C library looks through a long text faster than a loop does.
  package var holdsNUL: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    } ?? utf8.contains(0)
  }
}

extension Int64: SQLConvertible {
  package var sqlValue: SQLValue { .integer(self) }
  package init(sqlValue: SQLValue) throws {
    guard case .integer(let number) = sqlValue else { throw SQLError.unreadable("expected an integer") }
    self = number
  }
}

extension Int: SQLConvertible {
  package var sqlValue: SQLValue { .integer(Int64(self)) }
  package init(sqlValue: SQLValue) throws { self = Int(try Int64(sqlValue: sqlValue)) }
}

extension Bool: SQLConvertible {
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
  package init(sqlValue: SQLValue) throws { self = try Int64(sqlValue: sqlValue) != 0 }
}

extension Double: SQLConvertible {
  package var sqlValue: SQLValue { .real(self) }
  package init(sqlValue: SQLValue) throws {
    switch sqlValue {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: throw SQLError.unreadable("expected a number")
    }
  }
}

extension Data: SQLConvertible {
  package var sqlValue: SQLValue { .blob(self) }
  package init(sqlValue: SQLValue) throws {
    guard case .blob(let data) = sqlValue else { throw SQLError.unreadable("expected bytes") }
    self = data
  }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  package var sqlValue: SQLValue { self?.sqlValue ?? .null }
  package init(sqlValue: SQLValue) throws {
    self = sqlValue == .null ? nil : try Wrapped(sqlValue: sqlValue)
  }
}

/// Enumerations and typed ids are stored as their text.
extension SQLConvertible where Self: RawRepresentable, RawValue == String {
  package var sqlValue: SQLValue { .text(rawValue) }
  package init(sqlValue: SQLValue) throws {
    let text = try String(sqlValue: sqlValue)
    guard let value = Self(rawValue: text) else { throw SQLError.unreadable("unknown \(Self.self)") }
    self = value
  }
}
