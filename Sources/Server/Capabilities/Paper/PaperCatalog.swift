import Foundation

/// The document's catalog (ISO 32000-1 §7.7.2), where Cairo 1.16 writes neither the language nor that the title is to
/// be shown: a screen reader needs both. The catalog is the last object before the table of objects, so that a longer one
/// moves nothing but that table.
enum PaperCatalog {
  /// - Parameter language: BCP 47.
  static func speaking(_ language: String, _ file: Data) throws(PaperFault) -> Data {
    guard let catalog = file.range(of: Data("<< /Type /Catalog\n".utf8), options: .backwards),
      let table = file.range(of: Data("\nxref\n".utf8), options: .backwards), catalog.upperBound < table.lowerBound,
      file[catalog.upperBound..<table.lowerBound].ranges(of: Data("endobj".utf8)).count == 1,
      let start = file.range(of: Data("startxref\n".utf8), options: .backwards),
      let end = file.range(of: Data("\n%%EOF".utf8), options: .backwards), start.upperBound < end.lowerBound,
      let place = Int(String(decoding: file[start.upperBound..<end.lowerBound], as: UTF8.self)),
      file.startIndex + place == table.lowerBound + 1,
      !language.isEmpty, language.utf8.allSatisfy(Self.isTag)
    else { throw .unknownForm }
    let more = Data("   /Lang (\(language))\n   /ViewerPreferences << /DisplayDocTitle true >>\n".utf8)
    return file[..<catalog.upperBound] + more + file[catalog.upperBound..<start.upperBound]
      + Data(String(place + more.count).utf8) + file[end.lowerBound...]
  }

  private static func isTag(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
