// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// Who may use the two accounts of a transfer, and whom it goes to: by one statement, for most calls of an app that
/// change money ask it.
struct TransferParties: Sendable {
  struct Accounts: Hashable, Sendable {
    let source: BankAccount.ID
    let destination: BankAccount.ID
  }

  /// The first owner of the destination; nothing when it has none.
  struct Payee: Sendable {
    fileprivate var customer: String?
    /// The sealed profile; nil when nothing is kept of them.
    fileprivate var profile: Data?

    /// The legal name; nil when nothing is kept of it any more.
    func name(_ core: CoreDependencies) async throws -> String? {
      guard let customer, let profile else { return nil }
      return try await ClientProfileStore.legalName(profile, of: customer, core)
    }
  }

  /// Customers with a part in both accounts.
  let both: Set<String>
  let payee: Payee

  static func query(in database: any SQLDatabase) -> SharedQuery<Accounts, TransferParties> {
    SharedQuery(in: database) { asked in
      let ids = Array(Set(asked.flatMap { [$0.source, $0.destination] }))
      // Of those who pay, no profile is read.
      let destinations = Array(Set(asked.map(\.destination)))
      return """
        SELECT p.account_id, p.party, p.role, c.content
        FROM ledger_party AS p LEFT JOIN finaptic_client_profile AS c
          ON c.customer_id = p.party AND p.role = 'owner' AND p.account_id IN \(list: destinations)
        WHERE p.account_id IN \(list: ids) ORDER BY p.account_id, p.party
        """
    } reading: { rows, asked in
      var found: [BankAccount.ID: (parties: Set<String>, payee: Payee)] = [:]
      for row in rows {
        let (account, party): (BankAccount.ID, String) = (try row.get("account_id"), try row.get("party"))
        let role: LedgerRole = try row.get("role")
        found[account, default: ([], Payee())].parties.insert(party)
        if role == .owner, found[account]?.payee.customer == nil {
          found[account]?.payee = Payee(customer: party, profile: try row.get("content"))
        }
      }
      return asked.reduce(into: [:]) { all, accounts in
        guard let source = found[accounts.source], let destination = found[accounts.destination] else { return }
        all[accounts] = TransferParties(
          both: source.parties.intersection(destination.parties), payee: destination.payee)
      }
    }
  }
}

// MARK: The payee's name, which every transfer shows

extension ClientProfileStore {
  /// The legal name in a profile that was read already, outside of a transaction.
  /// - Returns: nil when the customer has no profile, or when the profile was erased.
  static func legalName(_ sealed: Data, of customer: String, _ core: CoreDependencies) async throws -> String? {
    guard !sealed.isEmpty else { return nil }
    do {
      let bytes = try await core.vault.open(sealed, context: context(customer), in: core.database)
      let personal =
        try PlainJSONReader.read(bytes, plainPersonal) ?? JSONDecoder().decode(Named.self, from: bytes).personal
      return personal.map(\.legalName).flatMap { $0.isEmpty ? nil : $0 }
    } catch VaultError.erased { return nil }
  }

  /// What the legal name is made of, where it is plain: every transfer shows one.
  static func plainPersonal(_ reader: inout PlainJSONReader) -> FinapticAPI.PersonalDetails? {
    var personal = FinapticAPI.PersonalDetails()
    let isRead = reader.members(["personal"]) { _, reader in
      reader.members(["first_name", "last_name"]) { name, reader in
        guard let text = reader.text() else { return false }
        if name == 0 { personal.firstName = text } else { personal.lastName = text }
        return true
      }
    }
    return isRead ? personal : nil
  }
}

/// A `ClientProfile` of which no more than the name is read.
private struct Named: Decodable {
  let personal: FinapticAPI.PersonalDetails?
}
