// SPDX-License-Identifier: Apache-2.0

import CPaper
import Foundation

/// What Cairo 1.16 leaves out of a tagged document and PDF/UA-1 (ISO 14289-1) asks for:
///
/// 1. the language of the document, and that its title is shown (§7.1, §7.2);
/// 2. metadata (XMP) with the title and the part of the standard (§5, §7.1);
/// 3. that a heading cell is the heading of its column (§7.5);
/// 4. that the characters of an embedded font are numbered as its glyphs are (§7.21.3.2).
///
/// It is an incremental update (ISO 32000-1 §7.5.6): what Cairo wrote stays as it is, and changed objects follow it.
enum PaperCompletion {
  private static let end = "\n>>\nendobj"
  /// What is added to every object of a form.
  private static let additions = [
    ("<< /Type /StructElem\n   /S /TH\n", "/A << /O /Table /Scope /Column >>"),
    ("<< /Type /Font\n   /Subtype /CIDFontType2\n", "/CIDToGIDMap /Identity"),
  ]

  /// - Parameter language: BCP 47.
  static func complete(_ file: Data, title: String, language: String) throws(PaperFault) -> Data {
    guard !language.isEmpty, language.utf8.allSatisfy(isTag), let trailer = Trailer(file) else { throw .unknownForm }
    let (root, metadata) = (trailer.root, trailer.size)
    let catalog = try object(root, "<< /Type /Catalog\n", in: file)
    let page = metadataPacket(title)
    var objects = [
      "\(root) 0 obj\n\(catalog)\n   /Lang (\(language))\n   /ViewerPreferences << /DisplayDocTitle true >>"
        + "\n   /Metadata \(metadata) 0 R\n>>\nendobj\n",
      "\(metadata) 0 obj\n<< /Type /Metadata /Subtype /XML /Length \(page.utf8.count) >>\nstream\n\(page)\nendstream"
        + "\nendobj\n",
    ]
    var numbers = [root, metadata]
    for (form, addition) in additions {
      for (number, body) in try all(form, in: file) {
        objects.append("\(number) 0 obj\n\(body)\n   \(addition)\n>>\nendobj\n")
        numbers.append(number)
      }
    }
    var (whole, places) = (file, [(number: Int, place: Int)]())
    for (number, text) in zip(numbers, objects) {
      places.append((number, whole.count))
      whole += Data(text.utf8)
    }
    let table = whole.count
    var tail = "xref\n"
    for (number, place) in places.sorted(by: { $0.number < $1.number }) {
      tail += "\(number) 1\n\(String(repeating: "0", count: 10 - String(place).count))\(place) 00000 n \n"
    }
    tail += "trailer\n<< /Size \(trailer.size + 1)\n   /Root \(root) 0 R\n   /Info \(trailer.info) 0 R\n"
    tail += "   /Prev \(trailer.table)\n>>\nstartxref\n\(table)\n%%EOF\n"
    return whole + Data(tail.utf8)
  }

  /// Objects that the file ends with.
  private struct Trailer {
    let size: Int
    let root: Int
    let info: Int
    /// Where the table of objects is.
    let table: Int

    init?(_ file: Data) {
      let tail = String(decoding: file.suffix(300), as: UTF8.self)
      guard file.count < 9_999_999_999, let begin = tail.range(of: "trailer\n", options: .backwards) else { return nil }
      // Words alone: an expression that is compiled anew for each document costs more than the rest of this.
      let words = tail[begin.upperBound...].split { $0.isWhitespace }
      guard words.count == 15, words[0] == "<<", words[1] == "/Size", words[3] == "/Root", words[5...6] == ["0", "R"],
        words[7] == "/Info", words[9...11] == ["0", "R", ">>"], words[12] == "startxref",
        words[14] == "%%EOF", let size = Int(words[2]), let root = Int(words[4]), let info = Int(words[8]),
        let table = Int(words[13])
      else { return nil }
      (self.size, self.root, self.info, self.table) = (size, root, info, table)
    }
  }

  /// An object's dictionary without its end.
  private static func object(_ number: Int, _ form: String, in file: Data) throws(PaperFault) -> String {
    let begin = "\n\(number) 0 obj\n"
    var (last, place) = (Range<Int>?.none, file.startIndex)
    while let found = range(of: begin + form, in: file, from: place) { (last, place) = (found, found.upperBound) }
    guard let last, let end = range(of: end, in: file, from: last.upperBound) else { throw .unknownForm }
    return String(decoding: file[(last.lowerBound + begin.utf8.count)..<end.lowerBound], as: UTF8.self)
  }

  /// The objects that begin in one way, without their ends, by their numbers.
  private static func all(_ form: String, in file: Data) throws(PaperFault) -> [(Int, String)] {
    var (all, place) = ([(Int, String)](), file.startIndex)
    while let found = range(of: " 0 obj\n\(form)", in: file, from: place) {
      let digits = file[..<found.lowerBound].reversed().prefix { (48...57).contains($0) }.reversed()
      guard let number = Int(String(decoding: Array(digits), as: UTF8.self)),
        let end = range(of: end, in: file, from: found.upperBound)
      else { throw .unknownForm }
      let body = file[(found.lowerBound + " 0 obj\n".utf8.count)..<end.lowerBound]
      all.append((number, String(decoding: body, as: UTF8.self)))
      place = end.upperBound
    }
    return all
  }

  private static func range(of text: String, in file: Data, from place: Int) -> Range<Int>? {
    let offset = file.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(place - file.startIndex))
      return cpaper_find(rest.baseAddress, rest.count, text)
    }
    return offset < 0 ? nil : (place + offset)..<(place + offset + text.utf8.count)
  }

  private static func metadataPacket(_ title: String) -> String {
    let text = title.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">\(text)</rdf:li></rdf:Alt></dc:title>
      <pdfuaid:part>1</pdfuaid:part></rdf:Description></rdf:RDF></x:xmpmeta>
      <?xpacket end="w"?>
      """
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
