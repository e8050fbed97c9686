// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Tidy: the files of a request in docs/following-a-request.md")
struct RequestFileTests {
  private static let page = "docs/following-a-request.md"
  /// The most files that a reader may have to open.
  private static let limits = [
    "Rubix `auth/me`": 7, "Rubix, upload": 12, "Wultra, a presence check": 10, "OneAssist, a photo": 7,
    "Finaptic, a transfer": 11,
  ]

  private struct Row {
    let request: String
    let count: Int?
    /// Those of every such request; what comes behind a semicolon is of some.
    let files: [String]
    let others: [String]
  }

  private static let rows: [Row] =
    (Repository.text(page) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    .drop { !$0.hasPrefix("| request | files | which |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    .map { row in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let parts = (cells.count > 2 ? cells[2] : "").split(separator: ";", maxSplits: 1).map(names)
      return Row(
        request: cells.first ?? "", count: cells.count > 1 ? Int(cells[1]) : nil, files: parts.first ?? [],
        others: parts.count > 1 ? parts[1] : [])
    }

  private static func names(_ text: Substring) -> [String] {
    text.matches(of: /`([\w+]+)`/).map { String($0.output.1) }
  }

  @Test("the numbers are those of the files that are named, and each of these is there")
  func named() {
    let there = Set(Repository.sources.map { String($0.name.dropLast(6)) })
    #expect(Self.rows.count >= Self.limits.count)
    for row in Self.rows {
      #expect(row.count == Set(row.files).count, "\(Self.page): \(row.request)")
      for name in row.files + row.others {
        #expect(there.contains(name), "\(Self.page): there is no \(name).swift")
      }
    }
  }

  @Test("no request goes through more files than was decided")
  func limits() {
    for (request, most) in Self.limits {
      let counts = Self.rows.filter { $0.request.hasPrefix(request) }.compactMap(\.count)
      #expect(counts.count == 1 && counts.allSatisfy { $0 <= most }, "\(request): \(counts), and not \(most) at most")
    }
  }
}
