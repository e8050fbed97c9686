import Foundation
import Kit
import Storage

extension KeySubject {
  /// A bank's customer, whose key seals what is kept of them.
  /// - Parameter user: the digest under which their rows are looked up; nil before the customer is known, when data
  ///   keys seal.
  init?(user: String?, of provider: SaltEdgeProvider.ID) {
    guard let user else { return nil }
    self.init(user, of: Self.tenant(of: provider))
  }

  static func tenant(of provider: SaltEdgeProvider.ID) -> TenantID {
    TenantID(SaltEdgeModule.name, provider.rawValue)
  }
}

extension Vault {
  /// Seals a value as JSON under the key of a bank's customer, or under the data key while the customer is not known.
  func seal(
    _ value: some Encodable, as context: String, of user: KeySubject?, in tx: any SQLTransaction
  ) throws -> Data {
    guard let user else { return try seal(value, as: context) }
    return try seal(value, as: context, of: user, in: tx)
  }
}

extension SaltEdgeModule {
  /// Connections and operations say whose they are. What is on a connection is its customer's, whose key was made by
  /// then.
  package static let sealedColumns = [
    SealedColumn("saltedge_connection", "secrets", of: "user_digest", tenant: "provider_id", system: name),
    SealedColumn("saltedge_operation", "content", of: "user_digest", tenant: "provider_id", system: name),
    SealedColumn("saltedge_operation", "evidence", of: "user_digest", tenant: "provider_id", system: name),
    SealedColumn("saltedge_authorization", "payload", of: "user_digest", through: connection),
    SealedColumn("saltedge_authorization", "decision", of: "user_digest", through: connection),
    SealedColumn("saltedge_consent", "payload", of: "user_digest", through: connection),
  ]

  private static let connection = SealedColumn.Parent("saltedge_connection", by: "connection_id")
}
