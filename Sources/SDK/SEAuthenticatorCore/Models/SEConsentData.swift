// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A permission that the customer gave to a third party, once decrypted (saltedge-authenticator §4.9).
public struct SEConsentData: Equatable, Sendable {
  /// Of the consent; nil when neither what was encrypted nor what is within names it. It cannot be revoked then.
  public var id: String?
  public let connectionId: String
  public var userId: String?
  /// Who may.
  public let tppName: String
  /// `aisp`, `pisp_future` or `pisp_recurring`.
  public let consentType: String
  public let accounts: [SEAccount]
  public let sharedData: SEConsentSharedData?
  public let createdAt: Date
  public let expiresAt: Date

  /// - Parameters:
  ///   - dictionary: what was decrypted. Accounts without a name are left out.
  ///   - entityId: the id of what was encrypted, which goes before the one within.
  /// - Returns: nil when a member that has to be there is not. The id need not be there.
  public init?(_ dictionary: [String: Any], _ entityId: String?, _ connectionId: String) {
    let members = Members(dictionary)
    guard let tppName = members.text(SENetKeys.tppName),
      let consentType = members.text(SENetKeys.consentType),
      let accounts = members[SENetKeys.accounts] as? [[String: Any]],
      let createdAt = members.instant(SENetKeys.createdAt), let expiresAt = members.instant(SENetKeys.expiresAt)
    else { return nil }
    id = entityId ?? members.id(SENetKeys.id)
    self.connectionId = connectionId
    self.tppName = tppName
    self.consentType = consentType
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.accounts = accounts.compactMap(SEAccount.init)
    userId = members.id(SENetKeys.userId)
    sharedData = SEConsentSharedData(members[SENetKeys.sharedData] as? [String: Bool])
  }
}

/// An account that a consent is about.
public struct SEAccount: Equatable, Sendable {
  public let name: String
  public let accountNumber: String?
  public let sortCode: String?
  public let iban: String?

  /// - Returns: nil without a name.
  public init?(_ dictionary: [String: Any]) {
    let members = Members(dictionary)
    guard let name = members.text(SENetKeys.name) else { return nil }
    self.name = name
    accountNumber = members.text(SENetKeys.accountNumber)
    sortCode = members.text(SENetKeys.sortCode)
    iban = members.text(SENetKeys.iban)
  }
}

/// What a third party may see of an account.
public struct SEConsentSharedData: Equatable, Sendable {
  public let balance: Bool?
  public let transactions: Bool?

  /// - Returns: nil for nil: members that are not all true or false are no dictionary of this type.
  public init?(_ dictionary: [String: Bool]?) {
    guard let flags = dictionary else { return nil }
    balance = flags[SENetKeys.balance]
    transactions = flags[SENetKeys.transactions]
  }
}
