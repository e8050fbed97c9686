// SPDX-License-Identifier: Apache-2.0

public import GatehouseWire
public import SaltEdgeCore
public import SaltEdgeWire

/// A permission that the user gave to a third party (specification §4.9).
public struct Consent: Sendable, Equatable, Redacted {
  /// The service's name for it.
  public let id: String
  /// The connection's guid.
  public let connection: String
  /// `aisp`, `pisp_future` or `pisp_recurring`; more may come.
  public let kind: String
  /// Who may.
  public let thirdParty: String
  /// Of which accounts.
  public let accounts: [SaltEdge.Account]
  /// What may be seen of them, when the bank says.
  public let shared: SaltEdge.Shared?
  /// When it was given, and when it ends.
  public let createdAt, expiresAt: WireInstant

  /// Whole days that are left, begun ones included; zero when it has expired.
  public func daysLeft(at now: WireInstant) -> Int {
    let day: Int64 = 86_400_000
    return Int(max(0, (expiresAt.millisecondsSince1970 - now.millisecondsSince1970 + day - 1) / day))
  }

  /// One that no bank listed: for specimens of screens.
  package init(
    specimen id: String, connection: String, kind: String, thirdParty: String, accounts: [SaltEdge.Account],
    shared: SaltEdge.Shared?, createdAt: WireInstant, expiresAt: WireInstant
  ) {
    (self.id, self.connection, self.kind, self.thirdParty) = (id, connection, kind, thirdParty)
    (self.accounts, self.shared, self.createdAt, self.expiresAt) = (accounts, shared, createdAt, expiresAt)
  }

  /// - Returns: nil when it cannot be decrypted or something is missing.
  init?(_ entity: SaltEdgeV1.Entity, connection guid: String, key: RSAPrivateKey) {
    guard entity.algorithm == nil || entity.algorithm == EncryptedPayload.algorithm,
      let text = entity.payload.text(with: key),
      let read = try? WireJSON.decode(ReadConsent.self, from: .init(text.utf8)),
      let id = entity.id?.text ?? read.id, !id.isEmpty,
      let created = PayloadInstant.read(read.createdAt), let expires = PayloadInstant.read(read.expiresAt)
    else { return nil }
    (self.id, connection, kind) = (id, guid, PlainText.line(read.kind))
    thirdParty = PlainText.line(read.thirdParty)
    accounts = read.accounts.items.map { account in
      SaltEdge.Account(
        name: PlainText.line(account.name), number: account.number.map(PlainText.line),
        sortCode: account.sortCode.map(PlainText.line), iban: account.iban.map(PlainText.line))
    }
    shared = read.shared
    (createdAt, expiresAt) = (created, expires)
  }
}

/// The decrypted text, read as tolerantly as the public apps do: accounts without a name are left out, and what is
/// shared counts only when every word of it is true or false.
private struct ReadConsent: Decodable {
  let id: String?
  let kind, thirdParty, createdAt, expiresAt: String
  let accounts: ReadableList<SaltEdge.Account>
  let shared: SaltEdge.Shared?

  private enum CodingKeys: String, CodingKey {
    case id, accounts
    case kind = "consent_type"
    case thirdParty = "tpp_name"
    case createdAt = "created_at"
    case expiresAt = "expires_at"
    case shared = "shared_data"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = (try? members.decodeIfPresent(SaltEdge.TextID.self, forKey: .id))?.text
    kind = try members.decode(String.self, forKey: .kind)
    thirdParty = try members.decode(String.self, forKey: .thirdParty)
    createdAt = try members.decode(String.self, forKey: .createdAt)
    expiresAt = try members.decode(String.self, forKey: .expiresAt)
    accounts = try members.decode(ReadableList<SaltEdge.Account>.self, forKey: .accounts)
    let words = try? members.decodeIfPresent([String: Bool].self, forKey: .shared)
    shared = words == nil ? nil : try? members.decodeIfPresent(SaltEdge.Shared.self, forKey: .shared)
  }
}
