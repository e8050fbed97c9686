// SPDX-License-Identifier: Apache-2.0

/// What a push says of changed terms of an account: an addition of ours. It names no terms, because it stands on locked
/// screens; the mail to the owner has them.
public struct TermsChangeEvent: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// Other terms are to come.
    case announced
    /// What was announced does not come.
    case withdrawn
  }

  public let accountId: String
  /// The same in the announcement and in what takes it back.
  public let changeId: String
  /// Nil for a kind of a newer server.
  public let kind: Kind?

  /// Reads a push.
  /// - Returns: nil unless the push is about changed terms and every member can be read.
  public init?(userInfo: [AnyHashable: Any]) {
    func text(_ name: String) -> String? { (userInfo[name] as? String).flatMap { $0.isEmpty ? nil : $0 } }
    guard text("eventType") == "TermsChangeEvent", let account = text("accountId"), let change = text("changeId"),
      let kind = text("kind")
    else { return nil }
    (accountId, changeId, self.kind) = (account, change, Kind(rawValue: kind))
  }
}
