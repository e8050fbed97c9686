// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Tidy: links of the documents")
struct DocumentLinkTests {
  @Test("a link within the repository leads to a file or folder, and to a heading of that page")
  func links() {
    let pages = Repository.files.filter { $0.path.hasSuffix(".md") }
    let headings = Dictionary(
      uniqueKeysWithValues: pages.map {
        (Repository.root.appending(path: $0.path).standardizedFileURL.path, Self.anchors(of: $0.text))
      })
    for file in pages {
      let page = Repository.root.appending(path: file.path).standardizedFileURL
      for link in Self.links(of: file.text) {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = page.deletingLastPathComponent()
        let target = parts[0].isEmpty ? page.path : folder.appending(path: parts[0]).standardizedFileURL.path
        #expect(FileManager.default.fileExists(atPath: target), "\(file.path): there is no \(link)")
        guard parts.count == 2, let anchors = headings[target] else { continue }
        #expect(anchors.contains(String(parts[1])), "\(file.path): there is no heading \(link)")
      }
    }
  }

  @Test("every flow has a map of itself")
  func maps() {
    for target in Manifest(Repository.text("Package.swift") ?? "").targets where target.name.hasSuffix("Flow") {
      #expect(Repository.text("\(target.path)/FLOW.md") != nil, "\(target.path) has no FLOW.md")
    }
  }

  @Test("the map of a flow names every file of routes and every table of its folder")
  func complete() {
    for target in Manifest(Repository.text("Package.swift") ?? "").targets where target.name.hasSuffix("Flow") {
      let map = Repository.text("\(target.path)/FLOW.md") ?? ""
      for file in Repository.sources where file.isBelow(target.path) {
        #expect(!file.name.hasSuffix("Routes.swift") || map.contains(file.name), "\(target.path): \(file.name)")
        for table in file.text.matches(of: /CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)/).map(\.output.1) {
          #expect(map.contains("`\(table)`"), "\(target.path): \(table)")
        }
      }
    }
  }

  @Test("links are found in prose and tables, and not in code")
  func found() {
    let text = "a [b](c.md) | [d](../e/f.md#g) |\n```\n[h](i.md)\n```\n[j](https://k.example) [l](#m) [n](o.md)"
    #expect(Self.links(of: text) == ["c.md", "../e/f.md#g", "#m", "o.md"])
    #expect(Self.anchors(of: "# A, b\n```\n# c\n```\n## `D e`-f") == ["a-b", "d-e-f"])
  }

  /// What links to headings name, as GitHub and MkDocs make it.
  private static func anchors(of text: String) -> Set<String> {
    var isCode = false
    return Set(
      text.split(separator: "\n").compactMap { line -> String? in
        if line.hasPrefix("```") { isCode.toggle() }
        guard !isCode, let words = line.wholeMatch(of: /#+ (.*)/)?.output.1 else { return nil }
        let kept = words.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        return kept.replacing(" ", with: "-")
      })
  }

  /// Targets of links within the repository.
  private static func links(of text: String) -> [String] {
    var isCode = false
    return text.split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode else { return [] }
      return line.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1)
        .filter { !$0.contains(":") }.map { String($0) }
    }
  }
}
