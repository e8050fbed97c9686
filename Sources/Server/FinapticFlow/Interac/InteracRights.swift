// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// What erasure and export have to do with Interac (GDPR art. 15, 17 and 20).
enum InteracRights {
  /// The most transfers of one customer that are exported: more than the limits allow in years.
  private static let transfersMax = 10_000

  /// Deletes the aliases with their registrations. Transfers are kept in the ledger only.
  static func forget(_ subject: FinapticErasure.Subject, _ core: CoreDependencies, in tx: any SQLTransaction)
    throws
  {
    guard let customer = subject.customer else { return }
    for ended in try RegistrationStore(tx, vault: core.vault).deleteAll(of: customer) {
      try InteracNotifier.owe(.registration, ended.id, at: ended.version, of: ended.tenant, core, in: tx)
    }
    try IncomingTransferStore(tx, vault: core.vault).emptyAll(of: customer)
  }

  static func registrations(
    of customer: String, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws -> [FinapticAPI.Registration] {
    try RegistrationStore(tx, vault: core.vault).all(of: customer).map(\.view)
  }

  static func transfers(
    of customer: String, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws -> [FinapticAPI.IncomingTransfer] {
    let now = core.world.now()
    return try IncomingTransferStore(tx, vault: core.vault).all(of: customer, limit: transfersMax).map {
      $0.view(at: now)
    }
  }
}
