// SPDX-License-Identifier: Apache-2.0

/// Swift source line by line, without what the compiler does not run.
struct SwiftText: Sendable {
  /// Lines without comments.
  let code: [String]
  /// Lines without comments and without the insides of string literals.
  let bare: [String]

  /// A small scanner: comments, strings on one line and on many, raw strings. Interpolations count as text.
  init(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.scan()
    code = Self.lines(scanner.code)
    bare = Self.lines(scanner.bare)
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Works on bytes: tests are built for debugging, where characters would take minutes.
  private struct Scanner {
    private static let (newline, slash, star) = (UInt8(ascii: "\n"), UInt8(ascii: "/"), UInt8(ascii: "*"))
    private static let (quote, hash, escape) = (UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "\\"))

    let bytes: [UInt8]
    var place = 0
    var code: [UInt8] = []
    var bare: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func scan() {
      while place < bytes.count {
        switch bytes[place] {
        case Self.slash where peek(1) == Self.slash: skipLine()
        case Self.slash where peek(1) == Self.star: skipComment()
        case Self.quote: string(hashes: 0)
        case Self.hash: raw()
        default: take()
        }
      }
    }

    private func peek(_ distance: Int) -> UInt8? {
      place + distance < bytes.count ? bytes[place + distance] : nil
    }

    private mutating func skipLine() {
      while place < bytes.count, bytes[place] != Self.newline { place += 1 }
    }

    private mutating func skipComment() {
      var depth = 0
      repeat {
        if bytes[place] == Self.slash, peek(1) == Self.star {
          depth += 1
          place += 2
        } else if bytes[place] == Self.star, peek(1) == Self.slash {
          depth -= 1
          place += 2
        } else if bytes[place] == Self.newline {
          take()
        } else {
          place += 1
        }
      } while depth > 0 && place < bytes.count
    }

    /// `#"`, or a word such as `#expect`.
    private mutating func raw() {
      var hashes = 0
      while place < bytes.count, bytes[place] == Self.hash {
        hashes += 1
        take()
      }
      if place < bytes.count, bytes[place] == Self.quote { string(hashes: hashes) }
    }

    private mutating func string(hashes: Int) {
      let quotes = peek(1) == Self.quote && peek(2) == Self.quote ? 3 : 1
      for _ in 0..<quotes { take() }
      while place < bytes.count, !closes(quotes, hashes) {
        if quotes == 1, bytes[place] == Self.newline { return }
        if hashes == 0, bytes[place] == Self.escape { takeInside() }
        if place < bytes.count { takeInside() }
      }
      for _ in 0..<quotes + hashes where place < bytes.count { take() }
    }

    private func closes(_ quotes: Int, _ hashes: Int) -> Bool {
      guard bytes[place] == Self.quote else { return false }
      return (0..<quotes).allSatisfy { peek($0) == Self.quote }
        && (0..<hashes).allSatisfy { peek(quotes + $0) == Self.hash }
    }

    private mutating func takeInside() {
      if bytes[place] == Self.newline { return take() }
      code.append(bytes[place])
      place += 1
    }

    private mutating func take() {
      code.append(bytes[place])
      bare.append(bytes[place])
      place += 1
    }
  }
}
