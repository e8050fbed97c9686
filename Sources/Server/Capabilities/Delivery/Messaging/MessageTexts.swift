// SPDX-License-Identifier: Apache-2.0

import Kit

/// The words of every notice, by channel and language. An institution may replace any of them, for all tenants or
/// for one of them.
package struct MessageTexts: Sendable {
  /// Languages that every notice exists in.
  package static let languages = ["en", "fr", "ar"]

  package struct Key: Sendable, Hashable {
    package let kind: Notice.Kind
    package let channel: Message.Channel
    package let language: String

    package init(_ kind: Notice.Kind, _ channel: Message.Channel, _ language: String) {
      self.kind = kind
      self.channel = channel
      self.language = language
    }

    /// `confirm-contact.sms.en`, also the name of its file.
    package var name: String { "\(kind.rawValue).\(channel.rawValue).\(language)" }
  }

  package struct Text: Sendable, Equatable {
    /// Goes up with every change of the words; a message says which it was written with.
    package let version: Int
    /// The only tenant whose messages use it; nil is every tenant.
    package internal(set) var tenant: TenantID?
    /// Nil for SMS; the title of a push.
    let subject: TextTemplate?
    let body: TextTemplate

    package init(version: Int = 1, subject: String? = nil, body: String) {
      self.version = version
      self.subject = subject.map(TextTemplate.init)
      self.body = TextTemplate(body)
    }
  }

  private let texts: [Key: Text]
  /// All words of those tenants that have some of their own.
  private let byTenant: [TenantID: [Key: Text]]

  /// - Parameter tenants: what a tenant words in its own way; everything else is the same as for all others.
  /// - Throws: `MessageTextsError` when a replacement names a value that its notice does not have, or lacks its code.
  package init(replacing replacements: [Key: Text] = [:], tenants: [TenantID: [Key: Text]] = [:]) throws {
    for (key, text) in replacements { try Self.check(text, for: key) }
    let all = Self.standard.merging(replacements) { $1 }
    var byTenant: [TenantID: [Key: Text]] = [:]
    for (tenant, own) in tenants {
      var words = all
      for (key, text) in own {
        try Self.check(text, for: key)
        words[key] = text.of(tenant)
      }
      byTenant[tenant] = words
    }
    (texts, self.byTenant) = (all, byTenant)
  }

  /// The words as they ship; a test holds them to the same rules as replacements.
  package static let standardTexts = MessageTexts(texts: standard)

  private init(texts: [Key: Text]) { (self.texts, byTenant) = (texts, [:]) }

  /// The texts of one tenant.
  package func of(_ tenant: TenantID) -> MessageTexts {
    byTenant[tenant].map { MessageTexts(texts: $0) } ?? self
  }

  /// Tenants that have words of their own.
  package var tenants: [TenantID] { byTenant.keys.sorted() }

  /// Every text, in order of its name.
  package var list: [(key: Key, text: Text)] {
    texts.sorted { $0.key.name < $1.key.name }.map { ($0.key, $0.value) }
  }

  /// Writes the notice.
  /// - Parameter locale: BCP 47; a language that is not there becomes English.
  package func message(
    _ notice: Notice, by channel: Message.Channel, to recipient: String, from sender: MessageSender, locale: String
  ) throws -> Message {
    try write(notice, channel, recipient, locale) { ["house": sender.name(in: $0), "host": sender.host] }
  }

  /// Writes a notice whose texts name no host.
  package func message(
    _ notice: Notice, by channel: Message.Channel, to recipient: String, from institution: String, locale: String
  ) throws -> Message {
    precondition(!notice.kind.hasHost, "Its texts name the host.")
    return try write(notice, channel, recipient, locale) { _ in ["house": institution] }
  }

  private func write(
    _ notice: Notice, _ channel: Message.Channel, _ recipient: String, _ locale: String,
    _ sender: (String) -> [String: String]
  ) throws -> Message {
    let wanted = String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()
    let language = texts[Key(notice.kind, channel, wanted)] == nil ? "en" : wanted
    let key = Key(notice.kind, channel, language)
    guard let text = texts[key] else { throw MessageTextsError.missing(key.name) }
    let (values, direction) = (notice.values.merging(sender(language)) { $1 }, TextDirection(language: language))
    var message = Message(
      channel, to: recipient, subject: try text.subject.map { try direction.fill($0, from: values) },
      body: try direction.fill(text.body, from: values), locale: language)
    message.template = "\(text.tenant.map { "\($0)/" } ?? "")\(key.name).v\(text.version)"
    if channel == .email { message.html = try MailPage(text.body, values, direction, language: language).html }
    return message
  }
}

extension MessageTexts.Text {
  /// The same words of one tenant only.
  fileprivate func of(_ tenant: TenantID) -> Self {
    var own = self
    own.tenant = tenant
    return own
  }
}

extension MessageTexts {
  /// A text of one language.
  struct Name: Hashable {
    let kind: Notice.Kind
    let channel: Message.Channel

    init(_ kind: Notice.Kind, _ channel: Message.Channel) { (self.kind, self.channel) = (kind, channel) }
  }

  /// The words as they ship.
  static let standard: [Key: Text] = {
    var all: [Key: Text] = [:]
    for (language, texts) in [("en", english), ("fr", french), ("ar", arabic)] {
      for (name, text) in texts { all[Key(name.kind, name.channel, language)] = text }
    }
    return all
  }()
}

extension MessageTexts {
  /// A text with invented values: to be looked at.
  package func preview(_ key: Key) throws -> Message {
    let recipient =
      switch key.channel {
      case .sms: "+96550001234"
      case .email: "a.tester@example.com"
      case .push: "ios"
      case .chat: ""
      }
    guard key.kind.hasHost else {
      return try message(
        key.kind.sample, by: key.channel, to: recipient, from: "Bank of Utopia", locale: key.language)
    }
    let sender = try MessageSender(
      name: "Bank of Utopia", names: ["ar": "بنك اليوتوبيا", "fr": "Banque d’Utopie"], host: "bank.example")
    return try message(key.kind.sample, by: key.channel, to: recipient, from: sender, locale: key.language)
  }
}
