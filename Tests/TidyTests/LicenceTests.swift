// SPDX-License-Identifier: Apache-2.0

import Testing

/// docs/decisions/0103-each-file-names-its-licence.md
@Suite("Tidy: licences")
struct LicenceTests {
  private static let words = "SPDX-License-Identifier: Apache-2.0"

  private static func isNamed(_ file: Repository.File) -> Bool {
    file.text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
      .contains { $0 == "// \(words)" || $0 == "# \(words)" }
  }

  @Test("once the manifest names its licence, every file of code does")
  func named() throws {
    let code = Repository.files.filter { file in
      ["swift", "c", "h", "cpp", "hpp"].contains { file.path.hasSuffix(".\($0)") }
    }
    #expect(code.count > 2500)
    let manifest = try #require(code.first { $0.path == "Package.swift" })
    guard Self.isNamed(manifest) else { return }
    for file in code where !Self.isNamed(file) { Issue.record("\(file) names no licence: run scripts/spdx") }
  }

  @Test("what apps get names it in any case: the script that writes it puts it there")
  func apps() throws {
    let script = try #require(Repository.text("scripts/sdk_mirror.py"))
    #expect(script.contains("LICENCE = \"// \(Self.words)\"\n"))
    #expect(script.contains(".write_text(licensed("))
  }
}
