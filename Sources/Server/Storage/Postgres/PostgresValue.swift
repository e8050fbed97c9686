// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation

/// Values on their way to the server and back. Parameters carry their types, bytes go as they are, everything else as
/// text; answers come as text.
enum PostgresValue {
  /// Type ids of pg_type.dat, fixed since they were given.
  private enum TypeID {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let float4: Oid = 700
    static let float8: Oid = 701
    static let numeric: Oid = 1700
    /// The server infers it.
    static let unspecified: Oid = 0
  }

  static func type(of value: SQLValue) -> Oid {
    switch value {
    case .null: TypeID.unspecified
    case .integer: TypeID.int8
    case .real: TypeID.float8
    case .text: TypeID.text
    case .blob: TypeID.bytea
    }
  }

  /// Lays the values out for libpq: one run of bytes and a pointer to each value in it.
  static func withParameters<Value>(
    _ values: [SQLValue],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
  ) -> Value {
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    var (lengths, formats): ([Int32], [Int32]) = ([], [])
    for value in values {
      let start = bytes.count
      var format: Int32 = 0
      switch value {
      case .null: break
      case .integer(let number): bytes += "\(number)".utf8
      case .real(let number): bytes += "\(number)".utf8
      case .text(let text): bytes += text.utf8
      case .blob(let data):
        bytes += data
        format = 1
      }
      offsets.append(value == .null ? nil : start)
      lengths.append(Int32(bytes.count - start))
      formats.append(format)
      bytes.append(0)
    }
    return bytes.withUnsafeBytes { buffer in
      let base = buffer.bindMemory(to: CChar.self).baseAddress
      let pointers = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
      return pointers.withUnsafeBufferPointer { pointers in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { body(pointers.baseAddress, lengths.baseAddress, $0.baseAddress) }
        }
      }
    }
  }

  /// - Throws: `PostgresFailure.refused` with `unreadable` for a type that the stores do not use.
  static func rows(_ result: OpaquePointer?) throws -> [SQLRow] {
    let fields = 0..<PQnfields(result)
    let columns = fields.map { String(cString: PQfname(result, $0)) }
    return try (0..<PQntuples(result)).map { row in
      SQLRow(columns, try fields.map { try value(result, row, $0, type: PQftype(result, $0)) })
    }
  }

  private static func value(_ result: OpaquePointer?, _ row: Int32, _ column: Int32, type: Oid) throws -> SQLValue {
    guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else { return .null }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
    let value: SQLValue? =
      switch type {
      case TypeID.int8, TypeID.int4, TypeID.int2: Int64(String(decoding: bytes, as: UTF8.self)).map { .integer($0) }
      case TypeID.bool: .integer(bytes.first == UInt8(ascii: "t") ? 1 : 0)
      case TypeID.float8, TypeID.float4: Double(String(decoding: bytes, as: UTF8.self)).map { .real($0) }
      // A sum of integers; SQLite answers an integer too.
      case TypeID.numeric:
        Int64(String(decoding: bytes, as: UTF8.self)).map { .integer($0) }
          ?? Double(String(decoding: bytes, as: UTF8.self)).map { .real($0) }
      case TypeID.bytea: Data(hexOf: bytes).map { .blob($0) }
      case TypeID.text, 1043, 705, 19: .text(String(decoding: bytes, as: UTF8.self))
      default: nil
      }
    guard let value else { throw PostgresFailure.refused(.unreadable("a column of type \(type)")) }
    return value
  }
}

extension Data {
  /// Bytes as PostgreSQL prints them: `\x` and two digits for each (manual §8.4.1).
  fileprivate init?(hexOf text: UnsafeRawBufferPointer) {
    guard text.count >= 2, text.count.isMultiple(of: 2), text[0] == UInt8(ascii: "\\") else { return nil }
    func digit(_ byte: UInt8) -> UInt8 { byte < 58 ? byte - 48 : byte - 87 }
    self.init(count: (text.count - 2) / 2)
    for index in 0..<count { self[index] = digit(text[2 + 2 * index]) << 4 | digit(text[3 + 2 * index]) }
  }
}
