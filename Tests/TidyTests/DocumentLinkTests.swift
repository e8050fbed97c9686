import Foundation
import Testing

@Suite("Tidy: links of the documents")
struct DocumentLinkTests {
  @Test("a link within the repository leads to a file or folder")
  func links() {
    for file in Repository.files where file.path.hasSuffix(".md") {
      let folder = Repository.root.appending(path: file.path).deletingLastPathComponent()
      for link in Self.links(of: file.text) {
        let target = folder.appending(path: link).standardizedFileURL.path
        #expect(FileManager.default.fileExists(atPath: target), "\(file.path): there is no \(link)")
      }
    }
  }

  @Test("every flow has a map of itself")
  func maps() {
    for target in Manifest(Repository.text("Package.swift") ?? "").targets where target.name.hasSuffix("Flow") {
      #expect(Repository.text("\(target.path)/FLOW.md") != nil, "\(target.path) has no FLOW.md")
    }
  }

  @Test("links are found in prose and tables, and not in code")
  func found() {
    let text = "a [b](c.md) | [d](../e/f.md#g) |\n```\n[h](i.md)\n```\n[j](https://k.example) [l](#m) [n](o.md)"
    #expect(Self.links(of: text) == ["c.md", "../e/f.md", "o.md"])
  }

  /// Targets of relative links, without their fragments.
  private static func links(of text: String) -> [String] {
    var isCode = false
    return text.split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode else { return [] }
      return line.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1)
        .filter { !$0.contains(":") && !$0.hasPrefix("#") }
        .map { String($0.prefix { $0 != "#" }) }
    }
  }
}
