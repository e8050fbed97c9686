// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an answer in XML, without namespaces, attributes and comments. What S3 answers is small and flat, and
/// anything else is refused rather than understood.
struct S3Element: Sendable, Equatable {
  static let bytesMax = 4 * 1024 * 1024
  static let depthMax = 8
  static let elementsMax = 50_000
  static let attributesMax = 1000
  /// Of bytes in UTF-8, before the first character.
  private static let mark = Data([0xEF, 0xBB, 0xBF])
  // Looked for as bytes: as characters they would be others beside marks that combine, which names may begin with.
  private static let declaration = Data("<!".utf8)
  private static let instruction = Data("<?".utf8)

  let name: String
  /// Between its tags, without that of its children; spaces at both ends are gone.
  var text = ""
  var children: [S3Element] = []

  func all(_ name: String) -> [S3Element] { children.filter { $0.name == name } }

  /// The text of the first child of a name; nil without one.
  func value(_ name: String) -> String? { children.first { $0.name == name }?.text }

  /// - Returns: the root; nil when it is not XML in UTF-8, is too large or too deep, or declares anything: there are no
  ///   entities but the five of XML, so nothing is fetched and nothing grows.
  static func parse(_ bytes: Data) -> S3Element? {
    guard bytes.count <= bytesMax else { return nil }
    let body = bytes.starts(with: mark) ? Data(bytes.dropFirst(mark.count)) : bytes
    guard !body.isEmpty, let text = String(validating: body, as: UTF8.self), !body.contains(0),
      body.range(of: declaration) == nil, isUTF8(text), !hasInstruction(body), !isCrowded(body)
    else { return nil }
    let builder = Builder()
    let parser = XMLParser(data: body)
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    guard parser.parse(), parser.parserError == nil, !builder.isRefused, builder.open.isEmpty else { return nil }
    return builder.root
  }

  /// A declaration of another encoding would make the parser read other characters than were checked.
  private static func isUTF8(_ text: String) -> Bool {
    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return true }
    let declaration = text[..<end.lowerBound].lowercased()
    return !declaration.contains("encoding") || declaration.contains(/encoding\s*=\s*["']utf-8["']/)
  }

  /// Whether it has a processing instruction beside its XML declaration. Foundation's parser ends the program on one
  /// that is a name alone, such as `<?x?>`.
  private static func hasInstruction(_ body: Data) -> Bool {
    let name = Data("<?xml".utf8)
    let isDeclared =
      body.starts(with: name)
      && body.dropFirst(name.count).first.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } == true
    return (isDeclared ? body.dropFirst(name.count) : body).range(of: instruction) != nil
  }

  /// Whether an element has too many attributes. The parser compares each with all others of its element, which would
  /// take minutes of a processor. Equals signs since the last `<` are no fewer than attributes of a tag, whose values
  /// have no `<`.
  private static func isCrowded(_ body: Data) -> Bool {
    body.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
      var signs = 0
      for byte in bytes {
        if byte == UInt8(ascii: "<") { signs = 0 } else if byte == UInt8(ascii: "=") { signs += 1 }
        if signs > attributesMax { return true }
      }
      return false
    }
  }

  private final class Builder: NSObject, XMLParserDelegate {
    var root: S3Element?
    var open: [S3Element] = []
    var isRefused = false
    private var count = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      count += 1
      guard count <= elementsMax, open.count < depthMax, root == nil else {
        isRefused = true
        return parser.abortParsing()
      }
      open.append(S3Element(name: name))
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += characters
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      guard var ended = open.popLast() else { return }
      ended.text = ended.text.trimmingCharacters(in: .whitespacesAndNewlines)
      if open.isEmpty { root = ended } else { open[open.count - 1].children.append(ended) }
    }
  }
}
