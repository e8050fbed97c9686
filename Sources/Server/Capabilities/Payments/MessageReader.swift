// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Walks through a message in XML and hands over its parts one by one: the header, each transfer, each entry.
///
/// Foundation's parser is libxml2's. Two guards stand before it (decision 78): the bytes have to be UTF-8 throughout,
/// and a document type declaration is refused, so that there are no entities but the five of XML: nothing is fetched,
/// and nothing grows.
enum MessageReader {
  /// Of a file. A message of 100,000 transfers has about 100 MB in the longest form, and schemes allow fewer.
  static let bytesMax = 64 << 20
  private static let depthMax = 32
  /// Elements within one part.
  private static let elementsMax = 20_000
  /// Characters within one part, in bytes of UTF-8.
  private static let textMax = 1 << 20

  enum Event {
    /// A container has begun, whose parts follow.
    case began(name: String, line: Int)
    case part(MessageElement)
    /// The container has ended.
    case ended(name: String)
  }

  /// - Parameters:
  ///   - containers: paths, as in `Document/BkToCstmrStmt`, whose children are handed over instead of being kept.
  ///   - namespace: sees the root's namespace before any event, and throws for one that is not known.
  static func read(
    _ bytes: Data, containers: Set<String>, namespace: (String) throws(MessageFault) -> Void,
    _ take: (Event) throws(MessageFault) -> Void
  ) throws(MessageFault) {
    let bytes = try checked(bytes)
    try withoutActuallyEscaping(take) { take throws(MessageFault) in
      try withoutActuallyEscaping(namespace) { namespace throws(MessageFault) in
        let walk = Walk(containers: containers, namespace: namespace, take: take)
        let parser = XMLParser(stream: InputStream(data: bytes))
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = true
        parser.delegate = walk
        let isRead = parser.parse()
        walk.drop()
        if let fault = walk.fault { throw fault }
        guard isRead, parser.parserError == nil, walk.isClosed else {
          throw MessageFault(line: max(1, parser.lineNumber), "the file is not whole XML")
        }
      }
    }
  }

  private static func checked(_ bytes: Data) throws(MessageFault) -> Data {
    guard bytes.count <= bytesMax else { throw MessageFault("the file has more than \(bytesMax >> 20) MiB") }
    let mark = Data([0xEF, 0xBB, 0xBF])
    let plain = bytes.starts(with: mark) ? Data(bytes.dropFirst(mark.count)) : bytes
    guard let text = String(validating: plain, as: UTF8.self), !plain.contains(0) else {
      throw MessageFault("the file is not UTF-8")
    }
    guard plain.range(of: Data("<!DOCTYPE".utf8)) == nil else {
      throw MessageFault("the file declares a document type, which messages do not have")
    }
    if text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") {
      let declaration = text[..<end.lowerBound].lowercased()
      guard !declaration.contains("encoding") || declaration.contains(/encoding\s*=\s*["']utf-8["']/) else {
        throw MessageFault(line: 1, "the file declares another encoding than UTF-8")
      }
    }
    return plain
  }

  private final class Walk: NSObject, XMLParserDelegate {
    private let containers: Set<String>
    private(set) var fault: MessageFault?
    private var namespace: ((String) throws(MessageFault) -> Void)?
    private var take: ((Event) throws(MessageFault) -> Void)?
    private var root: String?
    /// Containers that are open, from the root down.
    private var path: [String] = []
    /// Elements of a part that are open.
    private var open: [MessageElement] = []
    private var count = 0
    private var textCount = 0

    init(
      containers: Set<String>, namespace: @escaping (String) throws(MessageFault) -> Void,
      take: @escaping (Event) throws(MessageFault) -> Void
    ) {
      (self.containers, self.namespace, self.take) = (containers, namespace, take)
    }

    var isClosed: Bool { root != nil && path.isEmpty && open.isEmpty }

    /// Lets go of the closures of whoever reads.
    func drop() { (namespace, take) = (nil, nil) }

    private func attempt(_ parser: XMLParser, _ work: () throws(MessageFault) -> Void) {
      guard fault == nil else { return }
      do throws(MessageFault) { try work() } catch {
        fault = error
        parser.abortParsing()
      }
    }

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      let line = parser.lineNumber
      attempt(parser) { () throws(MessageFault) in
        if root == nil {
          guard element == "Document" else { throw MessageFault(line: line, "the root is not Document") }
          root = namespaceURI ?? ""
          try namespace?(root ?? "")
        }
        // What a supplementary envelope holds is of other namespaces, and not looked at.
        let isForeign = open.contains { $0.name == "SplmtryData" }
        guard isForeign || namespaceURI == root else {
          throw MessageFault(line: line, "an element is of another namespace than its message")
        }
        if open.isEmpty, containers.contains((path + [element]).joined(separator: "/")) {
          path.append(element)
          try take?(.began(name: element, line: line))
          return
        }
        count += 1
        guard count <= elementsMax, path.count + open.count < depthMax else {
          throw MessageFault(line: line, "a part of the message has too many elements")
        }
        open.append(MessageElement(name: element, attributes: attributes, line: line))
      }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
      let line = parser.lineNumber
      attempt(parser) { () throws(MessageFault) in
        guard !open.isEmpty else {
          guard characters.utf8.allSatisfy(XMLSpace.contains) else {
            throw MessageFault(line: line, "there is text where elements belong")
          }
          return
        }
        textCount += characters.utf8.count
        guard textCount <= textMax else { throw MessageFault(line: line, "a part of the message has too much text") }
        open[open.count - 1].text += characters
      }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
      attempt(parser) { () throws(MessageFault) in
        guard let ended = open.popLast() else {
          if let container = path.popLast() { try take?(.ended(name: container)) }
          return
        }
        // Names and references are compared before their length is looked at.
        guard StreamSafeText.isSafe(ended.text), ended.attributes.values.allSatisfy(StreamSafeText.isSafe) else {
          throw MessageFault(line: ended.line, "a text of the message has too many combining marks in a row")
        }
        guard open.isEmpty else {
          open[open.count - 1].children.append(ended)
          return
        }
        (count, textCount) = (0, 0)
        try take?(.part(ended))
      }
    }
  }
}
