// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text of a table as spreadsheets write it, in UTF-8 and without a byte order mark.
///
/// 1. A byte order mark tells UTF-8 or UTF-16. So does a zero byte beside the first letter of the header, for UTF-16.
/// 2. What is UTF-8 throughout is UTF-8.
/// 3. What has no letter beyond ASCII that UTF-8 could mean is Windows-1252, as Excel's "CSV" is in Western Europe,
///    when its letters beyond ASCII are spread over the words as they are there. Other code pages of Latin letters look
///    the same, so the reader of the results is told.
/// 4. Anything else is refused: read in either way, names would be others than were meant, and found nowhere.
enum TableText {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let littleMark: [UInt8] = [0xFF, 0xFE]
  private static let bigMark: [UInt8] = [0xFE, 0xFF]

  /// Why bytes are not the text of a table.
  struct Fault: Error {
    /// Counted from 1; nil when the fault is of the whole text.
    var line: Int?
    let reason: String

    fileprivate static let tooLarge = Fault(reason: "a table that is not in UTF-8 has 256 MiB at most")
  }

  /// - Returns: the bytes themselves where they are UTF-8, so that a mapped file is not copied.
  static func utf8(_ bytes: Data) throws(Fault) -> (text: Data, encoding: ScreenFile.Encoding) {
    if bytes.starts(with: littleMark) { return (try utf16(bytes.dropFirst(2), isLittle: true), .utf16) }
    if bytes.starts(with: bigMark) { return (try utf16(bytes.dropFirst(2), isLittle: false), .utf16) }
    let body = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes
    if let isLittle = isLittleUTF16(body) { return (try utf16(body, isLittle: isLittle), .utf16) }
    guard let line = body.withUnsafeBytes({ ListText.invalidLine($0) }) else { return (body, .utf8) }
    // Before any other fault: in no text is there such a byte, whichever its encoding.
    if let zero = body.firstIndex(of: 0), body[..<zero].withUnsafeBytes(ListText.isUTF8) {
      throw Fault(line: line, reason: "the text has a character that is zero")
    }
    let unknown = Fault(
      line: line, reason: "the text is neither UTF-8, nor UTF-16, nor Windows-1252 throughout: save it as UTF-8")
    guard body.count <= CSV.bytesMax else { throw .tooLarge }
    guard body.count == bytes.count, !body.contains(0), isWestern(body),
      !String(decoding: body, as: UTF8.self).unicodeScalars.contains(where: { !$0.isASCII && $0 != "\u{FFFD}" }),
      let text = String(data: body, encoding: .windowsCP1252)
    else { throw unknown }
    return (Data(text.utf8), .windows1252)
  }

  /// Whether bytes beyond ASCII stand as in languages of Western Europe. In Arabic, Cyrillic, Greek or Chinese code
  /// pages there are words of nothing else, and those of DOS have letters where Windows-1252 has nothing.
  private static func isWestern(_ bytes: Data) -> Bool {
    let unused: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
    var (run, isWithinWord) = (0, false)
    for byte in bytes {
      guard byte < 0x80 else {
        run += 1
        // Icelandic has three in a row, within a word.
        if run > 3 || unused.contains(byte) { return false }
        continue
      }
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      if run == 3, !isWithinWord, !isLetter { return false }
      (run, isWithinWord) = (0, isLetter)
    }
    return run < 3 || isWithinWord
  }

  /// The first letter of a header is ASCII, so that one of its two bytes is zero. Nil for what is not UTF-16.
  private static func isLittleUTF16(_ bytes: Data) -> Bool? {
    let first = Array(bytes.prefix(2))
    return first.count == 2 && (first[0] == 0) != (first[1] == 0) ? first[1] == 0 : nil
  }

  /// Whether a byte order mark, or the first letter of the header, says that a text is UTF-16.
  static func isUTF16(_ bytes: Data) -> Bool {
    bytes.starts(with: littleMark) || bytes.starts(with: bigMark)
      || isLittleUTF16(bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes) != nil
  }

  /// The beginning of a text, to look at its header, in any of the encodings; what is not read rightly is U+FFFD.
  static func head(_ bytes: Data, _ count: Int) -> String {
    let head = bytes.prefix(count)
    if head.starts(with: littleMark) || head.starts(with: bigMark) {
      return String(decoding: units(head.dropFirst(2), isLittle: head.starts(with: littleMark)), as: UTF16.self)
    }
    let body = head.starts(with: mark) ? head.dropFirst(3) : head
    if let isLittle = isLittleUTF16(body) { return String(decoding: units(body, isLittle: isLittle), as: UTF16.self) }
    return String(decoding: body, as: UTF8.self)
  }

  private static func units(_ bytes: Data, isLittle: Bool) -> [UInt16] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 2).map { index in
        let unit = raw.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        return isLittle ? UInt16(littleEndian: unit) : UInt16(bigEndian: unit)
      }
    }
  }

  private static func utf16(_ bytes: Data, isLittle: Bool) throws(Fault) -> Data {
    guard bytes.count <= CSV.bytesMax else { throw .tooLarge }
    let units = units(bytes, isLittle: isLittle)
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw Fault(reason: "the text is not UTF-16, as its beginning says")
    }
    let utf8 = Data(text.utf8)
    if let line = utf8.withUnsafeBytes({ ListText.invalidLine($0) }) {
      throw Fault(line: line, reason: "the text has a character that is zero")
    }
    return utf8
  }

  /// The first column that a header has twice, of those that are read: one of the two would not be.
  static func repeated(_ names: [String], among read: Set<String>) -> String? {
    var seen: Set<String> = []
    return names.first { read.contains($0) && !seen.insert($0).inserted }
  }

  /// What stands between the fields: of comma, semicolon and tab the first with which the header has the columns that
  /// are asked for; the comma where neither has them.
  static func dialect(_ text: Data, hasColumns: ([String]) -> Bool) -> CSV.Dialect {
    CSV.Dialect.ofTables.first { hasColumns(header(text, $0)) } ?? .standard
  }

  /// The names of the columns, in lower case; none when the header cannot be read.
  static func header(_ text: Data, _ dialect: CSV.Dialect) -> [String] {
    var names: [String] = []
    _ = CSV.scan(text, dialect: dialect) { _, fields in
      names = fields.map(ScreenFile.columnName)
      return .tooLarge
    }
    return names
  }
}
