// SPDX-License-Identifier: Apache-2.0

/// Recognised text, cut into what the extraction rules speak of (specification §5.2, steps 1 and 2).
enum IMEIText {
  enum Piece: Equatable {
    /// Letters and digits that are no number.
    case word(String)
    /// Groups of digits, and of letters that resemble them, with one space, hyphen or dot between two groups.
    case chain([String])
    case lineEnd
  }

  /// In the order of the text. Reads `IMEIReading.textMax` bytes at most.
  static func pieces(_ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var groups: [String] = []
    var token = ""
    // Whether exactly one joining character lies between the last group and here.
    var isJoined = false

    func endChain() {
      if !groups.isEmpty { pieces.append(.chain(groups)) }
      (groups, isJoined) = ([], false)
    }
    func endToken() {
      guard !token.isEmpty else { return }
      if isGroup(token) {
        if !isJoined { endChain() }
        groups.append(token)
      } else {
        endChain()
        for piece in split(token) { pieces.append(piece) }
      }
      (token, isJoined) = ("", false)
    }

    for scalar in text.unicodeScalars.prefix(IMEIReading.textMax) {
      switch normal(scalar) {
      case .sign(let sign): token.unicodeScalars.append(sign)
      case .joint:
        let endsGroup = !token.isEmpty
        endToken()
        if endsGroup, !groups.isEmpty { isJoined = true } else { endChain() }
      case .separator:
        endToken()
        endChain()
      case .lineEnd:
        endToken()
        endChain()
        pieces.append(.lineEnd)
      }
    }
    endToken()
    endChain()
    return pieces
  }

  private enum Kind {
    case sign(Unicode.Scalar), joint, separator, lineEnd
  }

  private static func normal(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar {
    case "0"..."9", "A"..."Z", "a"..."z": .sign(scalar)
    // Full-width digits.
    case "\u{FF10}"..."\u{FF19}": .sign(Unicode.Scalar(UInt8(ascii: "0") + UInt8(scalar.value - 0xFF10)))
    case " ", "\t", "\u{A0}", "\u{202F}", "-", "\u{2010}", "\u{2011}", ".": .joint
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": .lineEnd
    default: scalar.properties.isAlphabetic ? .sign(scalar) : .separator
    }
  }

  /// A number, also one that letters were read in: any digit at all, and nothing but digits and letters that resemble
  /// them.
  private static func isGroup(_ token: String) -> Bool {
    token.contains(where: \.isASCIIDigit) && token.allSatisfy { $0.isASCIIDigit || resembling[$0] != nil }
  }

  /// A word, and numbers that it is glued to: letters separate (step 1). A name of a label stays whole.
  private static func split(_ token: String) -> [Piece] {
    guard IMEILabel(token) == nil else { return [.word(token)] }
    var (pieces, part) = ([Piece](), "")
    func end() {
      if let first = part.first { pieces.append(first.isASCIIDigit ? .chain([part]) : .word(part)) }
      part = ""
    }
    for character in token {
      if let last = part.last, last.isASCIIDigit != character.isASCIIDigit { end() }
      part.append(character)
    }
    end()
    return pieces
  }

  /// Letters that recognisers take for digits, and the digits.
  static let resembling: [Character: Character] = ["O": "0", "I": "1", "l": "1", "S": "5", "B": "8", "Z": "2"]
}

extension Character {
  var isASCIIDigit: Bool { self >= "0" && self <= "9" && isASCII }
}
