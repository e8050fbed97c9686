// SPDX-License-Identifier: Apache-2.0

/// The header and the elements of a payload, read as tolerantly as real cards ask for (identity-documents §9.1).
///
/// 1. The header is found by `ANSI ` or `AAMVA` and six digits behind it; what stands before does not matter.
/// 2. The directory's offsets and lengths are not used: real ones are wrong.
/// 3. Elements are what stands between line ends, record separators and carriage returns, after an optional subfile
///    type; the first three characters are the id. The first value of an id counts.
struct AAMVAEnvelope {
  let issuerNumber: String
  let version: Int
  let jurisdictionVersion: Int?
  let kind: AAMVA.Kind
  let elements: [String: String]

  private static let headerSearchMax = 64
  private static let elementsMax = 256

  init(_ payload: String) throws(AAMVA.Failure) {
    let bytes = Array(payload.utf8)
    guard bytes.count <= AAMVA.payloadMax else { throw .tooLong }
    guard var position = Self.endOfMarker(in: bytes) else { throw .noHeader }
    func digits(_ count: Int) -> ArraySlice<UInt8>? {
      guard position + count <= bytes.count, bytes[position..<position + count].allSatisfy(\.isDigit) else {
        return nil
      }
      position += count
      return bytes[position - count..<position]
    }
    guard let issuer = digits(6), let version = digits(2).flatMap(decimal) else { throw .noHeader }
    issuerNumber = text(issuer)
    self.version = version
    jurisdictionVersion = version <= 1 ? nil : digits(2).flatMap(decimal)
    _ = digits(2)
    let directory = Self.directory(in: bytes, at: position)
    elements = Self.elements(in: bytes[directory.end...])
    guard elements.keys.contains(where: { $0.hasPrefix("D") }) else { throw .noElements }
    kind = directory.types.contains("DL") || !directory.types.contains("ID") ? .drivingLicence : .identityCard
  }

  private static func endOfMarker(in bytes: [UInt8]) -> Int? {
    for start in bytes.indices.prefix(headerSearchMax) {
      for marker in ["ANSI", "AAMVA"] where bytes[start...].starts(with: Array(marker.utf8)) {
        var end = start + marker.utf8.count
        while end < bytes.count, bytes[end] == UInt8(ascii: " ") { end += 1 }
        if end < bytes.count, bytes[end].isDigit { return end }
      }
    }
    return nil
  }

  /// The subfile types that the directory names, each of two characters before eight digits.
  private static func directory(in bytes: [UInt8], at start: Int) -> (types: [String], end: Int) {
    var types: [String] = []
    var end = start
    while end + 10 <= bytes.count, bytes[end].isLetter, bytes[end + 1].isLetter || bytes[end + 1].isDigit,
      bytes[end + 2..<end + 10].allSatisfy(\.isDigit)
    {
      types.append(text(bytes[end..<end + 2]))
      end += 10
    }
    return (types, end)
  }

  private static func elements(in bytes: ArraySlice<UInt8>) -> [String: String] {
    var elements: [String: String] = [:]
    for segment in bytes.split(whereSeparator: { $0 < 0x20 }).prefix(elementsMax) {
      guard let element = withoutSubfileType(segment) else { continue }
      let id = text(element.prefix(3))
      guard elements[id] == nil, let value = present(element.dropFirst(3)) else { continue }
      elements[id] = value
    }
    return elements
  }

  /// The element without the type of the subfile that it begins; nil when it has no id.
  private static func withoutSubfileType(_ segment: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var element = segment.drop { $0 == UInt8(ascii: " ") }
    // Some cards repeat the type.
    for _ in 0..<2 where isSubfileType(element) && beginsElement(element.dropFirst(2)) {
      element = element.dropFirst(2)
    }
    return isElementID(element) ? element : nil
  }

  private static func beginsElement(_ bytes: ArraySlice<UInt8>) -> Bool {
    isElementID(bytes) || isSubfileType(bytes) && isElementID(bytes.dropFirst(2))
  }

  private static func isSubfileType(_ bytes: ArraySlice<UInt8>) -> Bool {
    let type = text(bytes.prefix(2))
    // An id such as DLx does not exist: the standard's own begin DA–DD.
    return type == "DL" || type == "ID" || type.hasPrefix("Z") && isElementID(bytes.dropFirst(2))
  }

  /// `DAA`–`DDZ` of the standard, or `Z??` of a jurisdiction.
  private static func isElementID(_ bytes: ArraySlice<UInt8>) -> Bool {
    let id = Array(bytes.prefix(3))
    guard id.count == 3 else { return false }
    if id[0] == UInt8(ascii: "Z") { return id[1].isLetter && (id[2].isLetter || id[2].isDigit) }
    return id[0] == UInt8(ascii: "D") && (UInt8(ascii: "A")...UInt8(ascii: "D")).contains(id[1]) && id[2].isLetter
  }

  /// The value without blanks at its ends; nil for the ways to write that it is absent.
  private static func present(_ value: ArraySlice<UInt8>) -> String? {
    let blank = UInt8(ascii: " ")
    var value = value.drop { $0 == blank }
    while value.last == blank { value.removeLast() }
    let written = text(value)
    return written.isEmpty || ["NONE", "UNAVL", "UNAVAIL"].contains(written.uppercased()) ? nil : written
  }
}
