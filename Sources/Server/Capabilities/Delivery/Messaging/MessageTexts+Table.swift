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
