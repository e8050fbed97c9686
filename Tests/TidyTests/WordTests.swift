// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Tidy: the words of pages")
struct WordTests {
  private static let folder = "Sources/Server/Console"
  /// Templates that pages are made with beside the frame.
  private static let parts = [
    "CallStage.mustache", "CaseChecks.mustache", "CasePicture.mustache", "CaseReason.mustache",
    "DemoBankCode.mustache",
  ]

  private func words(_ language: String) throws -> [String: String] {
    let text = try #require(Repository.text("\(Self.folder)/Design/Words/\(language).json"))
    return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
  }

  @Test("every word that a template or a phrase names is in the catalogue of each language")
  func named() throws {
    let files = Repository.files.filter { $0.isBelow(Self.folder) }
    let keys = files.flatMap { file in
      file.path.hasSuffix(".mustache")
        ? file.text.matches(of: #/\{\{t\.([a-z_0-9]+)\}\}/#).map { (file.path, String($0.1)) }
        // A key that is put together at run time ends otherwise.
        : file.text.matches(of: #/(?:Phrase|PageTexts\.text)\(\s*"([a-z_0-9]+)"/#).map { (file.path, String($0.1)) }
    }.filter { !$0.1.hasSuffix("_") }
    #expect(keys.count > 150)
    for language in ["en", "fr", "ar"] {
      let words = try words(language)
      for (path, key) in keys { #expect(words[key] != nil, "\(language): \(key) of \(path)") }
    }
  }

  @Test("a template has no style or script of its own, and every page fills the one frame")
  func templates() {
    let templates = Repository.files.filter { $0.path.hasSuffix(".mustache") }
    #expect(templates.count > 20)
    for file in templates where file.name != "Frame.mustache" {
      for word in ["<style", "<script", " style=", "<html", "http://", "https://"] {
        #expect(!file.text.contains(word), "\(file.path): \(word)")
      }
      #expect(file.text.hasPrefix("{{<frame}}") || Self.parts.contains(file.name), "\(file.path)")
    }
  }
}
