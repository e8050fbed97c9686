// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Which characters may stand at each position of a zone (identity-documents §1, §6.3).
struct MRZAlphabet {
  /// One character per position: `a` letter or filler, `d` digit or filler, `x` any, `s` sex.
  let classes: [[Character]]

  static let td1 = MRZAlphabet([
    run("a", 5) + run("x", 9) + run("d", 1) + run("x", 15),
    run("d", 7) + run("s", 1) + run("d", 7) + run("a", 3) + run("x", 11) + run("d", 1),
    run("a", 30),
  ])

  static let french = MRZAlphabet([
    run("a", 30) + run("x", 6),
    run("x", 12) + run("d", 1) + run("a", 14) + run("d", 7) + run("s", 1) + run("d", 1),
  ])

  /// The alphabet of a zone of so many rows and columns, given its first five characters: code and issuing state.
  /// Only the French card of 1988 begins with `IDFRA`; a TD2 of France has another code.
  static func choose(rows: Int, columns: Int, head: String) -> MRZAlphabet? {
    let first = head.first
    return switch (rows, columns) {
    case (3, 30): td1
    case (2, 36) where head == "IDFRA": french
    // Behind the expiry date a visa has no digit, and neither has a passport whose lines were cut there.
    case (2, 36): twoLines(36, tail: first == "V" || first == "P" ? run("x", 8) : run("x", 7) + run("d", 1))
    case (2, 44): twoLines(44, tail: first == "V" ? run("x", 16) : run("x", 14) + run("d", 2))
    default: nil
    }
  }

  private static func twoLines(_ length: Int, tail: String) -> MRZAlphabet {
    MRZAlphabet([
      run("a", length), run("x", 9) + run("d", 1) + run("a", 3) + run("d", 7) + run("s", 1) + run("d", 7) + tail,
    ])
  }

  private static func run(_ kind: String, _ count: Int) -> String { String(repeating: kind, count: count) }

  private init(_ lines: [String]) { classes = lines.map(Array.init) }

  /// What a code may begin with (Doc 9303-4 to -7, part 5 §4.2.2).
  var codes: String {
    switch (classes.count, classes[0].count) {
    case (3, _): "ACI"
    case (_, 36): "ACIPV"
    default: "PV"
    }
  }

  /// Glyph numbers (`0…9 A…Z <`) that may stand here.
  func glyphs(line: Int, column: Int) -> [Int] {
    if line == 0, column == 0 { return codes.compactMap(Self.characters.firstIndex) }
    return switch classes[line][column] {
    case "a": Self.letters
    case "d": Self.digits
    case "s": Self.sexes
    default: Self.all
    }
  }

  static let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<")
  private static let all = Array(0..<37)
  private static let letters = Array(10..<37)
  private static let digits = Array(0..<10) + [36]
  private static let sexes = [15, 22, 33, 36]
}
