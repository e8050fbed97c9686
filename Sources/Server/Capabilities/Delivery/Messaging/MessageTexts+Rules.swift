// SPDX-License-Identifier: Apache-2.0

extension MessageTexts {
  /// What a text must and may name: the notice's own values, of which a code or a link is never left out; the institution,
  /// and its host where that is known.
  static func check(_ text: Text, for key: Key) throws {
    let name = key.name
    guard key.kind.channels.contains(key.channel) else { throw MessageTextsError.channel(name) }
    guard key.language.wholeMatch(of: /[a-z]{2,3}/) != nil else { throw MessageTextsError.language(name) }
    guard text.version > 0 else { throw MessageTextsError.version(name) }
    guard (text.subject != nil) == (key.channel != .sms) else { throw MessageTextsError.subject(name) }
    let named = text.body.names.union(text.subject?.names ?? [])
    let allowed = key.kind.names.union(key.kind.hasHost ? ["house", "host"] : ["house"])
    if let unknown = named.subtracting(allowed).min() { throw MessageTextsError.unknownValue("\(name): \(unknown)") }
    if let lacking = key.kind.needed.subtracting(text.body.names).min() {
      throw MessageTextsError.missing("\(name): \(lacking)")
    }
    // A brace that is no hole is a hole that was mistyped.
    guard !text.body.hasLooseBrace, text.subject?.hasLooseBrace != true else { throw MessageTextsError.brace(name) }
    // A subject is read over shoulders and on locked screens, and it is one line.
    let shown = text.subject?.names ?? []
    guard shown.isDisjoint(with: ["code", "link"]) else { throw MessageTextsError.codeInSubject(name) }
    guard text.subject?.isOneLine != false else { throw MessageTextsError.subject(name) }
    guard !text.body.isBlank, text.subject?.isBlank != true else { throw MessageTextsError.empty(name) }
  }
}

package enum MessageTextsError: Error, Sendable, Equatable {
  case missing(String)
  case unknownValue(String)
  case codeInSubject(String)
  /// A subject that is missing, where none belongs, or of several lines.
  case subject(String)
  /// A notice that does not go that way.
  case channel(String)
  case language(String)
  case version(String)
  /// Braces around something else than a name, or only one of them.
  case brace(String)
  case empty(String)
  /// A file or folder that cannot be read, or a file that is not named or written as a text is.
  case file(String)
}

extension MessageTextsError: CustomStringConvertible {
  /// For the author of the text.
  package var description: String {
    switch self {
    case .missing(let name): "\(name) is missing"
    case .unknownValue(let name): "\(name) is no value of that message"
    case .codeInSubject(let name): "\(name) shows a code or a link in its subject"
    case .subject(let name): "\(name) has a subject of several lines, or one too many, or lacks it"
    case .channel(let name): "\(name) is of a message that does not go that way"
    case .language(let name): "\(name) has no language of two or three letters"
    case .version(let name): "\(name) has no version above 0"
    case .brace(let name): "\(name) has a brace that belongs to no value"
    case .empty(let name): "\(name) is empty"
    case .file(let name): "\(name) cannot be read, or is not named or written as a text is"
    }
  }
}

extension TextTemplate {
  private var literals: [String] { pieces.compactMap { if case .text(let text) = $0 { text } else { nil } } }

  var hasLooseBrace: Bool { literals.contains { $0.contains { $0 == "{" || $0 == "}" } } }

  var isOneLine: Bool {
    !literals.contains { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
  }

  var isBlank: Bool { names.isEmpty && literals.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
}
