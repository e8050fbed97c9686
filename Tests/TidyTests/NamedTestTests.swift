// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Documents such as `docs/threat-model.md` name a test as `Suite.function`, and as `Target/Suite.function` where
/// several targets have a test of that name.
@Suite("Tidy: tests and files that documents name")
struct NamedTestTests {
  @Test("a test that a document names exists, and the name means one test only")
  func named() {
    for (file, name) in Self.documents.flatMap({ file in Self.names(in: file.text).map { (file, $0) } }) {
      let targets = Self.declared[String(name.split(separator: "/").last ?? ""), default: []]
      let found = name.contains("/") ? targets.filter { name.hasPrefix($0 + "/") } : targets
      #expect(found.count == 1, "\(file): \(name) is in \(found.isEmpty ? "no target" : found.joined(separator: ", "))")
    }
  }

  @Test("a source file that a document of security names exists")
  func files() {
    for path in ["docs/threat-model.md", "docs/asvs.md", "docs/psd2-rts.md", "SECURITY.md"] {
      for match in (Repository.text(path) ?? "").matches(of: /`((?:Sources|Tests|docs|scripts)\/[^`*\s]+)`/) {
        let named = Repository.root.appending(path: String(match.output.1)).path
        #expect(FileManager.default.fileExists(atPath: named), "\(path): there is no \(match.output.1)")
      }
    }
  }

  @Test(
    "a row of a standard has a verdict, and a row that is met names a test or a file", arguments: ["asvs", "psd2-rts"])
  func verdicts(document: String) throws {
    let text = try #require(Repository.text("docs/\(document).md"))
    let rows = text.split(separator: "\n").map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    .filter { $0.count == 4 && $0[0].contains(/^[0-9V]/) }
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(["met", "open", "not applicable"].contains(row[2]), "\(row[0]): \(row[2]) is no verdict")
      #expect(row[2] != "met" || row[3].contains("`") || row[3].contains("]("), "\(row[0]) is met without evidence")
    }
  }

  @Test("names are found between backticks, with and without a target")
  func found() {
    #expect(
      Self.names(in: "`ATests.b`, `CTests/DTests.e` and `FTests` or GTests.h") == ["ATests.b", "CTests/DTests.e"])
  }

  private static let documents = Repository.files.filter { $0.path.hasSuffix(".md") }

  private static func names(in text: String) -> [String] {
    text.matches(of: /`((?:[A-Z]\w*\/)?[A-Z]\w*Tests\.\w+)`/).map { String($0.output.1) }
  }

  /// The targets that have a test, by the test's name.
  private static let declared: [String: Set<String>] = {
    var declared: [String: Set<String>] = [:]
    for file in Repository.swift where file.isBelow("Tests") {
      let target = String(file.path.split(separator: "/")[1])
      var suite = ""
      var isTest = false
      for line in file.text.split(separator: "\n") {
        if line.contains("@Test") { isTest = true }
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        for (word, next) in zip(words, words.dropFirst()) {
          if ["struct", "class", "actor", "enum", "extension"].contains(word), next.hasSuffix("Tests") {
            suite = String(next)
          } else if word == "func", isTest {
            declared["\(suite).\(next)", default: []].insert(target)
            isTest = false
          }
        }
      }
    }
    return declared
  }()
}
