// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// Tells whom money was sent to that it waits, with the address that opens it in the app (finaptic §8.8).
struct IncomingTransferNotices: Sendable {
  static let topic = "finaptic.interacNotice"

  let core: CoreDependencies
  let messenger: Messenger

  func promise(_ transfer: IncomingTransfer, in tx: any SQLTransaction) throws {
    try core.outbox.enqueue(Self.topic, subject: transfer.number.rawValue, in: tx)
  }

  /// Nothing when it was taken or ended meanwhile.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let due = try await core.database.read { [core] tx -> Message? in
      guard
        let transfer = try IncomingTransferStore(tx, vault: core.vault).find(.init(rawValue: item.subject)),
        transfer.status(at: core.world.now()) == .available, let tenant = try TenantStore(tx).find(transfer.tenant)
      else { return nil }
      let user = try transfer.customer.flatMap {
        try FinapticUserStore(tx, vault: core.vault).find(customer: $0, tenant: tenant.id)?.user
      }
      let alias = transfer.content.alias
      var message = Message(
        alias.isEmail ? .email : .sms, to: alias.destination,
        subject: alias.isEmail ? "\(tenant.name): money waits for you" : nil, body: Self.text(transfer, tenant),
        locale: "en")
      (message.id, message.about) = ("interac-\(item.subject)", user?.id.rawValue)
      message.template = "transfer-waits"
      message.tenant = TenantID("finaptic", "\(tenant.id)")
      return message
    }
    if let due { try await messenger.send(due) }
  }

  private static func text(_ transfer: IncomingTransfer, _ tenant: FinapticTenant) -> String {
    """
    \(transfer.content.senderName) sent you \(transfer.amount.decimal) \(transfer.amount.currency). Open this in the \
    app of \(tenant.name) before \(transfer.expiresAt.rfc3339.prefix(10)) to take it:

    finaptic://interac/deposit?lang=en&paymentid=\(transfer.number)
    """
  }
}
