// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text of a table as spreadsheets write it, in UTF-8 and without a byte order mark.
///
/// 1. A byte order mark tells UTF-8 or UTF-16. So does a zero byte beside the first letter of the header, for UTF-16.
/// 2. What is UTF-8 throughout is UTF-8.
/// 3. What has no letter beyond ASCII that UTF-8 could mean is Windows-1252, as Excel's "CSV" is in Western Europe.
/// 4. Anything else is refused: read in either way, names would be others than were meant, and found nowhere.
enum TableText {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let littleMark: [UInt8] = [0xFF, 0xFE]
  private static let bigMark: [UInt8] = [0xFE, 0xFF]

  /// - Returns: the bytes themselves where they are UTF-8, so that a mapped file is not copied.
  static func utf8(_ bytes: Data) throws(ScreenFile.Fault) -> Data {
    if bytes.starts(with: littleMark) { return try utf16(bytes.dropFirst(2), isLittle: true) }
    if bytes.starts(with: bigMark) { return try utf16(bytes.dropFirst(2), isLittle: false) }
    let body = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes
    let first = Array(body.prefix(2))
    if first.count == 2, (first[0] == 0) != (first[1] == 0) { return try utf16(body, isLittle: first[1] == 0) }
    guard let line = body.withUnsafeBytes({ ListText.invalidLine($0) }) else { return body }
    let unknown = ScreenFile.Fault(
      description: "line \(line): the text is neither UTF-8, nor UTF-16, nor Windows-1252 throughout")
    guard body.count <= CSV.bytesMax else { throw ScreenFile.Fault(.tooLarge) }
    guard body.count == bytes.count, !body.contains(0),
      !String(decoding: body, as: UTF8.self).unicodeScalars.contains(where: { !$0.isASCII && $0 != "\u{FFFD}" }),
      let text = String(data: body, encoding: .windowsCP1252)
    else { throw unknown }
    return Data(text.utf8)
  }

  private static func utf16(_ bytes: Data, isLittle: Bool) throws(ScreenFile.Fault) -> Data {
    guard bytes.count <= CSV.bytesMax else { throw ScreenFile.Fault(.tooLarge) }
    let units = bytes.withUnsafeBytes { raw in
      (0..<raw.count / 2).map { index in
        let unit = raw.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        return isLittle ? UInt16(littleEndian: unit) : UInt16(bigEndian: unit)
      }
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw ScreenFile.Fault(description: "the text is not UTF-16, as its beginning says")
    }
    return Data(text.utf8)
  }

  /// What stands between the fields: of comma, semicolon and tab the first with which the header has the columns that
  /// are asked for; the comma where neither has them.
  static func dialect(_ text: Data, hasColumns: ([String]) -> Bool) -> CSV.Dialect {
    for separator in [",", ";", "\t"] as [Character] {
      let dialect = CSV.Dialect.separated(by: separator)
      var isIt = false
      _ = CSV.scan(text, dialect: dialect) { _, fields in
        isIt = hasColumns(fields.map(ScreenFile.columnName))
        return .tooLarge
      }
      if isIt { return dialect }
    }
    return .standard
  }
}
