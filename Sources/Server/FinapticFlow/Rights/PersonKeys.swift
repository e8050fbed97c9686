import Foundation
import Kit
import Storage

// What is kept of a user, and of the customer that they became, is sealed under one key: the user's. It is made when
// they sign up, and for users of before by the job that seals again. All else is sealed under the key that is there, so
// that nothing that happens after an erasure makes another one.

extension KeySubject {
  /// A user whose key is made when it is missing.
  init(_ user: FinapticUser.ID, ofTenant tenant: Int) {
    self.init(user.rawValue, of: TenantID(FinapticModule.name, "\(tenant)"))
  }

  /// A user whose key is there already.
  init(_ user: FinapticUser.ID) { self.init(user.rawValue) }

  /// The user who became a customer; nil for one who is not there.
  static func customer(_ id: String?, in tx: any SQLTransaction) throws -> KeySubject? {
    try id.flatMap { try FinapticUserStore.id(ofCustomer: $0, in: tx) }.map { KeySubject($0) }
  }
}

extension Vault {
  /// Seals a value as JSON under a user's key, or under the data key where there is no user.
  func seal(
    _ value: some Encodable, as context: String, of user: KeySubject?, in tx: any SQLTransaction
  ) throws -> Data {
    guard let user else { return try seal(value, as: context) }
    return try seal(value, as: context, of: user, in: tx)
  }

  /// Opens a value that an erasure may have emptied: nothing is stored in its place then. Of a copy that was restored
  /// the key may be gone as well.
  /// - Parameter empty: what an emptied value reads as.
  func open<Value: Decodable>(
    _ sealed: Data, or empty: @autoclosure () -> Value, context: String, in tx: any SQLTransaction
  ) throws -> Value {
    guard !sealed.isEmpty else { return empty() }
    do { return try open(sealed, as: Value.self, context: context, in: tx) } catch VaultError.erased { return empty() }
  }
}

extension FinapticModule {
  /// The user's own row first: the key is made for it.
  package static let sealedColumns = [
    SealedColumn("finaptic_user", "sealed_profile", of: "id", tenant: "CAST(tenant_id AS TEXT)", system: name),
    SealedColumn("finaptic_client_profile", "content", id: "customer_id", of: "user_id"),
    SealedColumn("finaptic_application", "content", of: "user_id"),
    SealedColumn("finaptic_factor", "sealed", id: "user_id || ':' || kind", of: "user_id"),
    SealedColumn("finaptic_link", "sealed", of: "user_id"),
    SealedColumn("finaptic_push_channel", "registration", of: channelUser),
    SealedColumn("finaptic_autodeposit", "sealed_alias", of: aliasUser),
    SealedColumn("finaptic_autodeposit", "sealed_token", of: aliasUser),
    SealedColumn("finaptic_incoming_transfer", "sealed_content", id: "number", of: transferUser),
    SealedColumn("finaptic_card", "content", of: cardUser),
    SealedColumn("finaptic_card", "sealed_secrets", of: cardUser),
    SealedColumn("finaptic_card_payment", "sealed_merchant", of: paymentUser),
  ]

  private static let channelUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_push_channel.customer_id)
    """
  private static let aliasUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_autodeposit.customer_id)
    """
  private static let transferUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_incoming_transfer.customer_id)
    """
  private static let cardUser: SQLColumns = """
    (SELECT u.id FROM finaptic_user u WHERE u.customer_id = finaptic_card.holder_id)
    """
  private static let paymentUser: SQLColumns = """
    (SELECT u.id FROM finaptic_card c JOIN finaptic_user u ON u.customer_id = c.holder_id
     WHERE c.id = finaptic_card_payment.card_id)
    """
}
