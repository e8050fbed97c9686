// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// A card network for operators: the same steps as tests of an app take over HTTP, for sandbox tenants only.
package struct CardNetwork: Sendable {
  package enum Step: String, Sendable, CaseIterable { case confirm, cancel, refund, chargeback }

  private let core: CoreDependencies
  private let payments: CardPayments
  private let tenant: FinapticTenant

  /// - Throws: `Problem` invalid argument for a tenant with real customers.
  init(core: CoreDependencies, payments: CardPayments, tenant: FinapticTenant) throws {
    (self.core, self.payments, self.tenant) = (core, payments, tenant)
    guard tenant.isSandbox else {
      throw Problem.finaptic(.invalidArgument, "Payments are simulated for sandbox tenants.")
    }
  }

  /// - Parameter isFinal: in one step; otherwise money is held.
  /// - Throws: `Problem` invalid argument; not found.
  package func purchase(
    _ body: CardPaymentBodies.Purchase, isFinal: Bool, by actor: String
  ) async throws -> CardPaymentBodies.Outcome {
    let new = CardPayments.New(core.world)
    return try await core.database.write(retrying: .outdated, .readCommitted) { [payments, tenant] in
      try payments.purchase(body, isFinal: isFinal, new: new, of: tenant, by: actor, in: $0)
    }
  }

  /// - Throws: `Problem` invalid argument; not found; failed precondition.
  package func take(
    _ step: Step, _ body: CardPaymentBodies.Step, by actor: String
  ) async throws -> CardPaymentBodies.Outcome {
    try await core.database.write(retrying: .outdated, .readCommitted) { [payments, tenant] tx in
      switch step {
      case .confirm: try payments.confirm(body, of: tenant, by: actor, in: tx)
      case .cancel: try payments.cancel(body, of: tenant, by: actor, in: tx)
      case .refund: try payments.giveBack(.refund, body, of: tenant, by: actor, in: tx)
      case .chargeback: try payments.giveBack(.chargeback, body, of: tenant, by: actor, in: tx)
      }
    }
  }
}
