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
    let house = try MessageHouse(
      name: "Bank of Utopia", names: ["ar": "بنك اليوتوبيا", "fr": "Banque d’Utopie"], host: "bank.example")
    return try message(key.kind.sample, by: key.channel, to: recipient, from: house, locale: key.language)
  }
}
