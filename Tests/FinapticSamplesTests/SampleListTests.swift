// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Which samples there are is the published document's to say.
@Suite("Finaptic: every sample of the published document")
struct SampleListTests {
  /// Beside the checkout; nil elsewhere.
  private static let document: [String]? = {
    let folder = ProcessInfo.processInfo.environment["GATEHOUSE_SEEDS"] ?? "../shared/seeds"
    let bytes = FileManager.default.contents(atPath: "\(folder)/finaptic-ios-sdk.txt")
    return bytes.map {
      String(decoding: $0, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }()

  @Test("is compiled, by its line", .enabled(if: document != nil, "no document beside the checkout"))
  func all() throws {
    let lines = try #require(Self.document)
    var (samples, start): ([Int], Int?) = ([], nil)
    for (index, line) in lines.enumerated() where line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
      guard let begun = start else {
        start = index + 1
        continue
      }
      // What a push holds is data, and has a test of its own in FinapticTests.
      if lines[begun].trimmingCharacters(in: .whitespaces) != "{" { samples.append(begun) }
      start = nil
    }
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "FinapticSamples")
    var compiled: Set<Int> = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let source = try String(contentsOf: file, encoding: .utf8)
      for match in source.matches(of: #/Lines? ([0-9]+)(?: and ([0-9]+))? of the seed/#) {
        for number in [match.output.1, match.output.2 ?? ""] { if let line = Int(number) { compiled.insert(line) } }
      }
    }
    #expect(samples.count > 60)
    #expect(samples.filter { !compiled.contains($0) } == [])
  }
}
