// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
public import Foundation

/// What a push says of a new transaction (finaptic §8.9). `getTransaction` tells more.
public struct TransactionCreatedEvent: Hashable, Sendable {
  public let transactionId: String
  /// Negative when money left the account.
  public let amount: Decimal
  public let availableBalance: Decimal
  public let actualBalance: Decimal
  public let transactionTime: Date

  /// Reads a push.
  /// - Returns: nil unless the push is about a transaction and every member can be read.
  public init?(userInfo: [AnyHashable: Any]) {
    func text(_ name: String) -> String? { userInfo[name] as? String }
    guard text("eventType") == "TransactionCreatedEvent", let id = text("transactionId"), !id.isEmpty,
      let amount = text("amount").flatMap(Decimal.init(money:)),
      let available = text("availableBalance").flatMap(Decimal.init(money:)),
      let actual = text("actualBalance").flatMap(Decimal.init(money:)),
      let time = text("transactionTime").flatMap(Self.date)
    else { return nil }
    (transactionId, transactionTime) = (id, time)
    (self.amount, availableBalance, actualBalance) = (amount, available, actual)
  }

  /// Reads `2021-12-17 12:34:56.793213 +0000 UTC`: date, time with up to nine digits of a second, offset, name of the
  /// zone, which is not looked at.
  private static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[3].isEmpty, parts[2].utf8.count == 5 else { return nil }
    let offset = "\(parts[2].prefix(3)):\(parts[2].suffix(2))"
    guard parts[1].utf8.count <= "12:34:56.793213123".utf8.count else { return nil }
    return FinapticAPI.Instant("\(parts[0])T\(parts[1])\(offset)")?.date
  }
}
