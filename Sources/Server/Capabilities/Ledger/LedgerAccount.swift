// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where money is: a row of entries and the balance after the last of them.
package struct LedgerAccount: Sendable, Hashable {
  package typealias ID = Identifier<LedgerAccount>

  /// An account is born inactive, and once active it stays so.
  package enum State: String, Sendable, CaseIterable, SQLConvertible {
    /// Nothing may be booked.
    case inactive
    case active
  }

  package let id: ID
  package let tenant: String
  /// Code of its product.
  package let product: String
  package let kind: LedgerProduct.Kind
  /// For people: never personal data.
  package let name: String
  /// ISO 4217.
  package let currency: String
  package let state: State
  /// Nil while money may leave it.
  package let stop: LedgerStop?
  /// The least that must stay available, in minor units; nil for no bound.
  package let availableMin: Int64?
  /// What is booked.
  package let actual: Int64
  /// What open holds keep back.
  package let held: Int64
  /// Number of its last entry; 0 when it has none.
  package let sequence: Int64
  package let openedAt: Instant

  package var actualBalance: Money { Money(actual, currency) }
  /// What may be taken out: what is booked, without what is held.
  package var availableBalance: Money { Money(actual - held, currency) }
}

/// An account to be opened.
package struct LedgerOpening: Sendable, Hashable {
  package let id: LedgerAccount.ID
  package let tenant: String
  /// Code of a product of the tenant.
  package let product: String
  package let name: String
  /// Parties that own it: at least one of a customer's account, none of the institution's.
  package let owners: [String]

  package init(id: LedgerAccount.ID, tenant: String, product: String, name: String, owners: [String] = []) {
    (self.id, self.tenant, self.product, self.name, self.owners) = (id, tenant, product, name, owners)
  }
}

/// Who has to do with an account.
package enum LedgerRole: String, Sendable, CaseIterable, SQLConvertible {
  case owner
  /// Sees and uses it, and is invited by an owner.
  case authorized
}

/// An account as one of its parties sees it.
package struct PartyAccount: Sendable, Hashable {
  package let account: LedgerAccount
  package let role: LedgerRole
}
