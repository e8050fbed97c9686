// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeWire
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

// What is read of a customer whose key is gone, in a copy that was restored: rows without words, on devices that prove
// nothing any more. Written again they hold nothing, so that no new key is made.

extension SaltEdgeConnection.Secrets {
  static let erased = SaltEdgeConnection.Secrets()
}

extension Operation.Content {
  static let erased = Operation.Content(title: "", salt: Data())
}

extension SaltEdge.Ciphertext {
  static let erased = SaltEdge.Ciphertext(key: "", iv: "", data: "")
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
    // Of before: by the chain of a connection or an operation.
    SealedColumn("webhook_message", "sealed", of: webhookUser, isCounted: false),
  ]

  private static let webhookUser: SQLColumns = """
    COALESCE(
      (SELECT c.user_digest FROM saltedge_connection c WHERE c.id = substr(webhook_message.subject_id, 10)),
      (SELECT o.user_digest FROM saltedge_operation o WHERE o.id = substr(webhook_message.subject_id, 20)))
    """

  private static let connection = SealedColumn.Parent("saltedge_connection", by: "connection_id")
}
