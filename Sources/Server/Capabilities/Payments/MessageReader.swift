// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Walks through a message in XML and hands over its parts one by one: the header, each transfer, each entry.
///
/// Foundation's parser is libxml2's. Two guards stand before it (`MessageStream`, decision 78): the bytes have to be
/// UTF-8 throughout, and a document type declaration is refused, so that there are no entities but the five of XML:
/// nothing is fetched, and nothing grows.
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
  ///   - seen: gets the bytes of the file, as far as it is read.
  ///   - take: answers whether more is wanted.
  static func read(
    _ file: MessageFile, containers: Set<String>, namespace: (String) throws(MessageFault) -> Void,
    seen: (Data) -> Void = { _ in }, _ take: (Event) throws(MessageFault) -> Bool
  ) throws(MessageFault) {
    try withoutActuallyEscaping(take) { take throws(MessageFault) in
      try withoutActuallyEscaping(namespace) { namespace throws(MessageFault) in
        try withoutActuallyEscaping(seen) { seen throws(MessageFault) in
          let stream = MessageStream(file, bytesMax: bytesMax, seen: seen)
          let delegate = ParserDelegate(stream, containers: containers, namespace: namespace, take: take)
          let parser = XMLParser(stream: stream)
          parser.shouldResolveExternalEntities = false
          parser.shouldProcessNamespaces = true
          parser.delegate = delegate
          let isRead = parser.parse()
          delegate.drop()
          stream.end()
          if let fault = delegate.fault ?? stream.fault { throw fault }
          guard !delegate.isStopped else { return }
          guard isRead, parser.parserError == nil, delegate.isClosed else {
            throw MessageFault(line: max(1, parser.lineNumber), "the file is not whole XML")
          }
        }
      }
    }
  }

  private final class ParserDelegate: NSObject, XMLParserDelegate {
    private let stream: MessageStream
    private let containers: Set<String>
    private(set) var fault: MessageFault?
    /// The reader has everything that it needs.
    private(set) var isStopped = false
    private var namespace: ((String) throws(MessageFault) -> Void)?
    private var take: ((Event) throws(MessageFault) -> Bool)?
    private var root: String?
    /// Containers that are open, from the root down.
    private var path: [String] = []
    /// Elements of a part that are open.
    private var open: [MessageElement] = []
    private var count = 0
    private var textCount = 0

    init(
      _ stream: MessageStream, containers: Set<String>, namespace: @escaping (String) throws(MessageFault) -> Void,
      take: @escaping (Event) throws(MessageFault) -> Bool
    ) {
      (self.stream, self.containers, self.namespace, self.take) = (stream, containers, namespace, take)
    }

    var isClosed: Bool { root != nil && path.isEmpty && open.isEmpty }

    /// Releases the reader's closures.
    func drop() { (namespace, take) = (nil, nil) }

    private static func checkMarks(_ texts: [String], line: Int) throws(MessageFault) {
      guard texts.allSatisfy(StreamSafeText.isSafe) else {
        throw MessageFault(line: line, "a text of the message has too many combining marks in a row")
      }
    }

    private func attempt(_ parser: XMLParser, _ work: () throws(MessageFault) -> Void) {
      guard fault == nil, !isStopped else { return }
      do throws(MessageFault) { try work() } catch {
        fault = error
        stop(parser)
      }
    }

    private func tell(_ event: Event, _ parser: XMLParser) throws(MessageFault) {
      guard let take, try !take(event) else { return }
      isStopped = true
      stop(parser)
    }

    /// The parser would read the rest of the stream to its end.
    private func stop(_ parser: XMLParser) {
      stream.end()
      parser.abortParsing()
    }

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      let line = parser.lineNumber
      attempt(parser) { () throws(MessageFault) in
        // Namespaces, names and references are compared before their length is looked at. Names have no references,
        // and are bounded by the stream.
        try Self.checkMarks(attributes.values + [namespaceURI ?? ""], line: line)
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
          try tell(.began(name: element, line: line), parser)
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
          if let container = path.popLast() { try tell(.ended(name: container), parser) }
          return
        }
        try Self.checkMarks([ended.text], line: ended.line)
        guard open.isEmpty else {
          open[open.count - 1].children.append(ended)
          return
        }
        (count, textCount) = (0, 0)
        try tell(.part(ended), parser)
      }
    }
  }
}
