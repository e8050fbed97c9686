// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Tidy: the table of layers in docs/architecture.md")
struct ArchitectureTests {
  private static let manifest = Manifest(Repository.text("Package.swift") ?? "")
  /// The targets of each row, from the programs down.
  private static let rows: [[String]] =
    (Repository.text("docs/architecture.md") ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    .drop { !$0.hasPrefix("| layer | target |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    .map { row in
      let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      return cells.count > 2 ? cells[2].matches(of: /`(\w+)`/).map { String($0.output.1) } : []
    }

  @Test("every target of the server stands in the table once")
  func complete() {
    let named = Self.rows.joined()
    for target in Self.manifest.targets where target.path.hasPrefix("Sources/Server/") {
      #expect(named.count { $0 == target.name } == 1, "docs/architecture.md: give \(target.name) one row")
    }
  }

  @Test("the table names no target that does not exist")
  func known() {
    for name in Self.rows.joined() {
      #expect(Self.manifest.target(name) != nil, "docs/architecture.md: Package.swift has no target \(name)")
    }
  }

  @Test("a target of the server depends only on targets in rows below its own")
  func down() {
    for (height, row) in Self.rows.enumerated() {
      for target in row.compactMap(Self.manifest.target) where target.path.hasPrefix("Sources/Server/") {
        for sibling in target.siblings {
          let below = Self.rows.firstIndex { $0.contains(sibling) } ?? -1
          #expect(below > height, "docs/architecture.md: \(target.name) depends on \(sibling), which is not below it")
        }
      }
    }
  }
}
