// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of a list in XML: one record of it, such as one listed person, with everything in it.
struct ListElement {
  /// Without its prefix.
  let name: String
  /// By their names without prefixes.
  let attributes: [String: String]
  /// Where it begins in the file, from 1.
  let line: Int
  /// Between its tags, without that of its children.
  fileprivate(set) var text = ""
  fileprivate(set) var children: [ListElement] = []

  /// Whether a text is true as XML Schema writes it.
  static func isTrue(_ text: String) -> Bool { ["true", "1"].contains(text.lowercased()) }

  /// Whether a text is false as XML Schema writes it.
  static func isFalse(_ text: String) -> Bool { ["false", "0"].contains(text.lowercased()) }

  /// An attribute; empty when it is not there.
  func attribute(_ name: String) -> String { attributes[name] ?? "" }

  func all(_ name: String) -> [ListElement] { children.filter { $0.name == name } }

  func first(_ name: String) -> ListElement? { children.first { $0.name == name } }

  /// The text of the first child of a name; empty when it is not there.
  func value(_ name: String) -> String { first(name)?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? "" }

  /// The children of a list of them, as in `akaList` and `aka`.
  func all(_ list: String, _ name: String) -> [ListElement] { all(list).flatMap { $0.all(name) } }

  /// The texts of elements within it that have none of these names, each with the names that lead to it: what a later
  /// edition of a list brings.
  func others(than known: Set<String>) -> [(label: String, text: String)] {
    children.flatMap { child -> [(label: String, text: String)] in
      if known.contains(child.name) {
        return child.others(than: known).map { ("\(child.name) \($0.label)", $0.text) }
      }
      let text = child.wholeText
      return text.isEmpty ? [] : [(child.name, text)]
    }
  }

  private var wholeText: String {
    ([text] + children.map(\.wholeText)).map(EntryDraft.line).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// Walks through a list in XML and hands over its records one by one, so that no more than one is in memory.
///
/// Foundation's parser feeds libxml2 with pieces of the file. Documents with a type declaration never come here
/// (`XMLProlog`), so that there are no entities but the five of XML: nothing is fetched, and nothing grows.
enum ListElements {
  private static let depthMax = 40
  /// Elements within one record. The largest there are have some thousands.
  private static let elementsMax = 200_000
  private static let textMax = 1 << 20

  /// - Parameters:
  ///   - records: names of the elements that are handed over, whole. Nothing around them is kept.
  ///   - root: sees the root's attributes before any record.
  ///   - take: takes a record, or throws why the file is no list; then no more is read.
  static func read(
    _ file: ListReader.File, records: Set<String>, root: ([String: String]) -> Void = { _ in },
    _ take: (ListElement) throws(ListFault) -> Void
  ) throws(ListFault) {
    try ListText.checkXML(file)
    try withoutActuallyEscaping(take) { take throws(ListFault) in
      try withoutActuallyEscaping(root) { root throws(ListFault) in
        let reader = Reader(records: records, file: file.name, root: root, take: take)
        let parser = XMLParser(stream: InputStream(data: file.bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        let isRead = parser.parse()
        reader.drop()
        if let fault = reader.fault { throw fault }
        guard isRead, parser.parserError == nil, reader.isClosed else {
          throw ListFault(file: file.name, line: max(1, parser.lineNumber), reason: "the file is not whole XML")
        }
      }
    }
  }

  private final class Reader: NSObject, XMLParserDelegate {
    let records: Set<String>
    let file: String
    private(set) var fault: ListFault?
    private var root: (([String: String]) -> Void)?
    private var take: ((ListElement) throws(ListFault) -> Void)?
    private var open: [ListElement] = []
    private var depth = 0
    private var count = 0
    private var textCount = 0
    private var hasRoot = false

    init(
      records: Set<String>, file: String, root: @escaping ([String: String]) -> Void,
      take: @escaping (ListElement) throws(ListFault) -> Void
    ) {
      (self.records, self.file, self.root, self.take) = (records, file, root, take)
    }

    /// Every tag that was opened was closed.
    var isClosed: Bool { hasRoot && depth == 0 }

    /// Releases the reader's closures.
    func drop() { (root, take) = (nil, nil) }

    private func refuse(_ parser: XMLParser, _ reason: String) {
      if fault == nil { fault = ListFault(file: file, line: parser.lineNumber, reason: reason) }
      parser.abortParsing()
    }

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      guard fault == nil else { return }
      depth += 1
      guard depth <= depthMax else { return refuse(parser, "elements are nested too deeply") }
      let name = Self.local(element)
      var plain: [String: String] = [:]
      for (key, value) in attributes { plain[Self.local(key)] = value }
      if !hasRoot {
        hasRoot = true
        root?(plain)
      }
      guard !open.isEmpty || records.contains(name) else { return }
      count += 1
      guard count <= elementsMax else { return refuse(parser, "a record has too many elements") }
      open.append(ListElement(name: name, attributes: plain, line: parser.lineNumber))
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
      guard fault == nil, !open.isEmpty else { return }
      textCount += characters.utf8.count
      guard textCount <= textMax else { return refuse(parser, "a record has too much text") }
      open[open.count - 1].text += characters
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
      guard fault == nil else { return }
      depth -= 1
      guard let ended = open.popLast() else { return }
      guard open.isEmpty else {
        open[open.count - 1].children.append(ended)
        return
      }
      (count, textCount) = (0, 0)
      do throws(ListFault) { try take?(ended) } catch {
        fault = error
        parser.abortParsing()
      }
    }

    private static func local(_ name: String) -> String {
      name.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(name[name.index(after: $0)...]) } ?? name
    }
  }
}
