/// The words of every notice, by channel and language. An institution may replace any of them.
package struct MessageTexts: Sendable {
  /// Languages that every notice exists in.
  package static let languages = ["en", "ar"]

  package struct Key: Sendable, Hashable {
    package let kind: Notice.Kind
    package let channel: Message.Channel
    package let language: String

    package init(_ kind: Notice.Kind, _ channel: Message.Channel, _ language: String) {
      self.kind = kind
      self.channel = channel
      self.language = language
    }
  }

  package struct Text: Sendable, Equatable {
    /// Nil for SMS.
    let subject: TextTemplate?
    let body: TextTemplate

    package init(subject: String? = nil, body: String) {
      self.subject = subject.map(TextTemplate.init)
      self.body = TextTemplate(body)
    }
  }

  private let texts: [Key: Text]

  /// - Throws: `MessageTextsError` when a replacement names a value that its notice does not have, or lacks its code.
  package init(replacing replacements: [Key: Text] = [:]) throws {
    for (key, text) in replacements { try Self.check(text, for: key) }
    texts = Self.standard.merging(replacements) { $1 }
  }

  /// The words as they ship; a test holds them to the same rules as replacements.
  package static let standardTexts = MessageTexts(texts: standard)

  private init(texts: [Key: Text]) { self.texts = texts }

  /// Writes the notice.
  /// - Parameter locale: BCP 47; a language that is not there becomes English.
  package func message(
    _ notice: Notice, by channel: Message.Channel, to recipient: String, from house: MessageHouse, locale: String
  ) throws -> Message {
    let wanted = String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()
    let language = texts[Key(notice.kind, channel, wanted)] == nil ? "en" : wanted
    guard let text = texts[Key(notice.kind, channel, language)] else {
      throw MessageTextsError.missing("\(notice.kind.rawValue).\(channel.rawValue).\(language)")
    }
    let values = notice.values.merging(["house": house.name(in: language), "host": house.host]) { $1 }
    return Message(
      channel, to: recipient, subject: try text.subject?.filled(from: values), body: try text.body.filled(from: values),
      locale: language)
  }

  /// What a text must and may name: the notice's own values, of which a code is never left out; house and host freely.
  static func check(_ text: Text, for key: Key) throws {
    let name = "\(key.kind.rawValue).\(key.channel.rawValue).\(key.language)"
    let own: Set<String> = key.kind == .confirmContact ? ["code", "minutes"] : []
    let named = text.body.names.union(text.subject?.names ?? [])
    guard named.isSubset(of: own.union(["house", "host"])) else { throw MessageTextsError.unknownValue(name) }
    guard key.kind != .confirmContact || text.body.names.contains("code") else {
      throw MessageTextsError.missing("\(name): code")
    }
    // A subject is read over shoulders and on locked screens.
    guard text.subject?.names.contains("code") != true else { throw MessageTextsError.codeInSubject(name) }
    guard (text.subject != nil) == (key.channel == .email) else { throw MessageTextsError.subject(name) }
  }
}

package enum MessageTextsError: Error, Sendable, Equatable {
  case missing(String)
  case unknownValue(String)
  case codeInSubject(String)
  /// E-mail without a subject, or SMS with one.
  case subject(String)
}

extension TextTemplate {
  /// Fills from more values than it names; those that it names must be there.
  fileprivate func filled(from values: [String: String]) throws -> String {
    let names = names
    return try fill(values.filter { names.contains($0.key) })
  }
}
