// SPDX-License-Identifier: Apache-2.0

internal import GatehouseWire
internal import SaltEdgeWire

/// What an authorization is about, safe to show. When there is HTML it is all that is to be shown (specification §5.6).
public struct AuthorizationContent: Sendable, Equatable {
  /// A line of a table.
  public struct Field: Sendable, Equatable {
    /// Of the wire: `payee`, `amount`, `ip` …
    public let key: String
    /// As the bank writes it.
    public let value: String

    /// For people, in English; `AuthenticatorTexts` knows some in other languages.
    public var label: String {
      let words = key.replacing("_", with: " ")
      return words.prefix(1).uppercased() + words.dropFirst()
    }
  }

  /// Plain text.
  public let text: String?
  /// Without scripts, links, pictures and attributes. To be shown with JavaScript off and no base address.
  public let html: String?
  /// What is paid, in this order.
  public let payment: [Field]
  /// Where it was asked for, in this order.
  public let extra: [Field]

  /// One that no bank wrote: for specimens of screens.
  package init(text: String?, html: String?, payment: [(String, String)], extra: [(String, String)]) {
    (self.text, self.html) = (text, html)
    self.payment = payment.map { Field(key: $0.0, value: $0.1) }
    self.extra = extra.map { Field(key: $0.0, value: $0.1) }
  }

  /// v1's description: text, or HTML when there is markup in it.
  init(_ description: String) {
    let isMarkup = SafeHTML.isMarkup(description)
    text = isMarkup ? nil : Self.shown(description)
    html = isMarkup ? SafeHTML.sanitized(PlainText.text(description), keepsLinks: false) : nil
    (payment, extra) = ([], [])
  }

  /// v2's.
  init(_ description: SaltEdgeV2.Description) {
    text = description.text.flatMap(Self.shown)
    html = description.html.flatMap(Self.shown).map { SafeHTML.sanitized($0, keepsLinks: false) }
    let (paid, asked) = (description.payment, description.extra)
    payment = Self.fields([
      ("payee", paid?.payee), ("amount", paid?.amount), ("account", paid?.account),
      ("payment_date", paid?.paymentDate), ("reference", paid?.reference), ("fee", paid?.fee),
      ("exchange_rate", paid?.exchangeRate), ("description", paid?.description),
    ])
    extra = Self.fields([
      ("action_date", asked?.actionDate), ("device", asked?.device), ("location", asked?.location), ("ip", asked?.ip),
    ])
  }

  private static func fields(_ items: [(key: String, value: String?)]) -> [Field] {
    items.compactMap { item in
      item.value.map(PlainText.line).flatMap { $0.isEmpty ? nil : Field(key: item.key, value: $0) }
    }
  }

  private static func shown(_ text: String) -> String? {
    let plain = PlainText.text(text)
    return plain.isEmpty ? nil : plain
  }
}
