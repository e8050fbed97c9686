// SPDX-License-Identifier: Apache-2.0

import Testing

/// `docs/asvs.md` speaks of every requirement of levels 1 and 2: one that is left out looks like one that is held.
@Suite("Tidy: the assessment is whole")
struct AssessmentTests {
  @Test("each requirement of ASVS 5.0 of level 1 or 2 has one row, of its level")
  func complete() throws {
    let text = try #require(Repository.text("docs/asvs.md"))
    let rows = text.matches(of: /(?m)^\| V(\d+\.\d+\.\d+) (L\d) \|/).map { (id: String($0.1), level: String($0.2)) }
    let levels = Dictionary(rows.map { ($0.id, $0.level) }, uniquingKeysWith: { first, _ in first })
    #expect(Self.required.count == 253 && Self.basic.count == 70)
    #expect(rows.count == levels.count, "an id has two rows")
    let (known, required) = (Set(levels.keys), Set(Self.required))
    #expect(required.subtracting(known).sorted() == [], "without a row")
    #expect(known.subtracting(required).sorted() == [], "not of level 1 or 2")
    for (id, level) in levels { #expect((level == "L1") == Self.basic.contains(id), "V\(id) is not of \(level)") }
  }

  /// The ids of level 1 and 2: those of a section are numbered from 1, and those of level 3 are left out.
  private static let required = sections.split(separator: " ").flatMap { section in
    let parts = section.split(separator: ":")
    let advanced = parts.count < 3 ? [] : parts[2].split(separator: ",").compactMap { Int($0) }
    return (1...(Int(parts[1]) ?? 1)).filter { !advanced.contains($0) }.map { "\(parts[0]).\($0)" }
  }

  /// Sections, how many requirements each has, and the numbers of those of level 3.
  private static let sections = """
    1.1:2 1.2:10:10 1.3:12:12 1.4:3 1.5:3:3 2.1:3 2.2:3 2.3:5:5 2.4:2:2 3.1:1:1 3.2:3:3 3.3:5:5 3.4:8:7,8
    3.5:8:6,7,8 3.6:1:1 3.7:5:3,4,5 4.1:5:4,5 4.2:5:2,3,4,5 4.3:2 4.4:4 5.1:1 5.2:6:4,5,6 5.3:3:3 5.4:3 6.1:3
    6.2:12 6.3:8:5,6,7,8 6.4:6:5,6 6.5:8:6,7,8 6.6:4:4 6.7:2:1,2 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:3:3 7.6:2
    8.1:4:3,4 8.2:4:4 8.3:3:2,3 8.4:2:2 9.1:3 9.2:4 10.1:2 10.2:3:3 10.3:5:5 10.4:16:12,13,14,15,16 10.5:5
    10.6:2 10.7:3 11.1:4:3,4 11.2:5:4,5 11.3:5:4,5 11.4:4 11.5:2:2 11.6:2:2 11.7:2:1,2 12.1:5:4,5 12.2:2
    12.3:5:5 13.1:4:2,3,4 13.2:6:6 13.3:4:3,4 13.4:7:6,7 14.1:2 14.2:8:5,6,7,8 14.3:3 15.1:5:4,5 15.2:5:4,5
    15.3:7 15.4:4:1,2,3,4 16.1:1 16.2:5 16.3:4 16.4:3 16.5:4:4 17.1:2:2 17.2:8:5,6,7,8 17.3:2
    """.split(separator: "\n").joined(separator: " ")

  /// The ids of level 1.
  private static let basic = Set(
    """
    1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1 2.1.1 2.2.1 2.2.2 2.3.1 3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1
    3.5.2 3.5.3 4.1.1 4.4.1 5.2.1 5.2.2 5.3.1 5.3.2 6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1
    6.3.2 6.4.1 6.4.2 7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2 8.1.1 8.2.1 8.2.2 8.3.1 9.1.1 9.1.2 9.1.3 9.2.1 10.4.1
    10.4.2 10.4.3 10.4.4 10.4.5 11.3.1 11.3.2 11.4.1 12.1.1 12.2.1 12.2.2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1
    15.3.1
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
