// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
public import Foundation

/// An amount of money. As JSON the amount is text, so that no reader makes a binary fraction of it.
public struct Amount: Hashable, Codable, Sendable {
  /// Exact.
  public var amount: Decimal
  /// ISO 4217.
  public var currency: String

  /// Creates the value from its members.
  public init(amount: Decimal, currency: String) {
    (self.amount, self.currency) = (amount, currency)
  }

  enum CodingKeys: String, CodingKey {
    case amount, currency
  }

  /// Reads the amount from text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let amount = Decimal(money: try container.decode(String.self, forKey: .amount)) else {
      throw DecodingError.dataCorruptedError(forKey: .amount, in: container, debugDescription: "not an amount")
    }
    self.amount = amount
    currency = try container.decode(String.self, forKey: .currency)
  }

  /// Writes the amount as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(amount.description, forKey: .amount)
    try container.encode(currency, forKey: .currency)
  }
}

extension Amount {
  var wire: FinapticAPI.Amount { FinapticAPI.Amount(amount: amount.description, currency: currency) }

  init(_ wire: FinapticAPI.Amount) throws(FinapticError) {
    guard let amount = Decimal(money: wire.amount) else { throw .unreadable("an amount") }
    self.init(amount: amount, currency: wire.currency)
  }
}

extension Balance {
  init(_ wire: FinapticAPI.Balance) throws(FinapticError) {
    self.init(actual: try Amount(wire.actual), available: try Amount(wire.available))
  }
}

extension Decimal {
  /// Digits, at most one point with digits on both sides, and `-` in front when negative; nothing else, and nothing
  /// that would not fit exactly.
  init?(money text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, digits.utf8.count <= 38,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    self.init(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
