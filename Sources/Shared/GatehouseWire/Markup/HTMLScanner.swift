// SPDX-License-Identifier: Apache-2.0

/// Cuts a text into tags and what is between them, as browsers do (HTML Living Standard §13.2.5, in small): good enough
/// to take tags out, because whatever is not surely a tag is text. By scalars: a browser does not know that a combining
/// mark belongs to the `>` before it.
package struct HTMLScanner {
  enum Token: Equatable {
    case text(String)
    /// Names in lower case; attributes that come twice count once.
    case start(String, [String: String])
    case end(String)
  }

  private let characters: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { characters = Array(text.unicodeScalars) }

  /// Whether anything in a text could be a tag.
  package static func hasTag(_ text: String) -> Bool {
    let scanner = HTMLScanner(text)
    return scanner.characters.indices.dropLast().contains { index in
      let next = scanner.characters[index + 1]
      return scanner.characters[index] == "<"
        && (scanner.isLetter(next) || next == "/" || next == "!" || next == "?")
    }
  }

  mutating func next() -> Token? {
    while position < characters.count {
      guard characters[position] == "<" else { return .text(textRun()) }
      switch peek(1) {
      case "!": skipDeclaration()
      case "?": skip(through: ">")
      case "/" where isLetter(peek(2)):
        position += 2
        let name = tagName()
        skip(through: ">")
        return .end(name)
      case "/": skip(through: ">")
      case let character where isLetter(character):
        position += 1
        return startTag()
      default:
        position += 1
        return .text("<")
      }
    }
    return nil
  }

  private func peek(_ offset: Int) -> Unicode.Scalar? {
    position + offset < characters.count ? characters[position + offset] : nil
  }

  private func isLetter(_ character: Unicode.Scalar?) -> Bool {
    character.map { ("a"..."z").contains($0) || ("A"..."Z").contains($0) } ?? false
  }

  private func isBlank(_ character: Unicode.Scalar?) -> Bool {
    character == " " || character == "\t" || character == "\n" || character == "\u{c}" || character == "\r"
  }

  private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private mutating func textRun() -> String {
    let start = position
    while position < characters.count, characters[position] != "<" { position += 1 }
    return string(characters[start..<position])
  }

  private mutating func tagName() -> String {
    let start = position
    while let character = peek(0), !isBlank(character), character != "/", character != ">" { position += 1 }
    return string(characters[start..<position]).lowercased()
  }

  private mutating func startTag() -> Token {
    let name = tagName()
    var attributes: [String: String] = [:]
    while let character = peek(0), character != ">" {
      if isBlank(character) || character == "/" {
        position += 1
      } else {
        let (name, value) = attribute()
        if attributes[name] == nil { attributes[name] = value }
      }
    }
    position += 1
    return .start(name, attributes)
  }

  /// - Precondition: the character here is neither blank nor an end, so that at least one is read.
  private mutating func attribute() -> (name: String, value: String) {
    let start = position
    position += 1
    while let character = peek(0), !isBlank(character), character != "/", character != ">", character != "=" {
      position += 1
    }
    let name = string(characters[start..<position]).lowercased()
    skipBlanks()
    guard peek(0) == "=" else { return (name, "") }
    position += 1
    skipBlanks()
    if let quote = peek(0), quote == "\"" || quote == "'" {
      position += 1
      let start = position
      while let character = peek(0), character != quote { position += 1 }
      defer { position += 1 }
      return (name, string(characters[start..<min(position, characters.count)]))
    }
    let value = position
    while let character = peek(0), !isBlank(character), character != ">" { position += 1 }
    return (name, string(characters[value..<position]))
  }

  private mutating func skipBlanks() {
    while isBlank(peek(0)) { position += 1 }
  }

  private mutating func skip(through end: Unicode.Scalar) {
    while let character = peek(0), character != end { position += 1 }
    position += 1
  }

  /// A comment to its end, anything else to the next `>`. A comment that does not end takes all that follows.
  private mutating func skipDeclaration() {
    guard peek(2) == "-", peek(3) == "-" else { return skip(through: ">") }
    position += 2
    while position < characters.count {
      if peek(0) == "-", peek(1) == "-", peek(2) == ">" { break }
      position += 1
    }
    position += 3
  }
}
