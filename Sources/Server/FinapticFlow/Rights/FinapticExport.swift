// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Kit
import Ledger
import Storage

/// Everything that is kept of one user (GDPR art. 15 and 20), opened. Each export is an audit entry.
package struct FinapticExport: Sendable, Encodable {
  package struct Application: Sendable, Encodable {
    let id: String
    let bundle: String
    let status: String
    let content: OnboardingApplication.Content
  }

  package struct Statement: Sendable, Encodable {
    let account: FinapticAPI.Account
    let transactions: [FinapticAPI.Transaction]
    /// What the holders were told of changed terms, the oldest first.
    let termsNotices: [BankAccountBodies.TermsNotice]
  }

  package struct Chat: Sendable, Encodable {
    let thread: FinapticAPI.ChatThread
    /// The oldest first.
    let messages: [FinapticAPI.ChatMessage]
  }

  package struct Entry: Sendable, Encodable {
    let action: String
    let at: String
  }

  let exportedAt: String
  let tenant: Int
  let user: String
  let email: String
  let username: String?
  let customer: String?
  let createdAt: String
  let profile: ClientProfile?
  let applications: [Application]
  let accounts: [Statement]
  let cards: [FinapticAPI.Card]
  let invitations: [FinapticAPI.Invitation]
  let chats: [Chat]
  let autodeposit: [FinapticAPI.Registration]
  let interacTransfers: [FinapticAPI.IncomingTransfer]
  /// Texts and mails that went out, without their words.
  let sentMessages: [ExportedMessage]
  let sessions: [String]
  let history: [Entry]
}

package struct FinapticExporter: Sendable {
  private static let entriesMax = 10_000

  let core: CoreDependencies
  let erasure: FinapticErasure
  let statements: MonthlyStatements

  /// - Parameter name: id of the customer or of the user, e-mail address or username.
  /// - Throws: `Problem` not found.
  package func export(_ name: String, tenant id: Int, by actor: String) async throws -> FinapticExport {
    // The audit entry comes first, so that no export goes unrecorded. The rest only reads, however long it takes.
    let (tenant, user) = try await core.database.write(retrying: .outdated) { tx in
      guard let tenant = try TenantStore(tx).find(id) else { throw Problem.notFound }
      let subject = try erasure.find(name, tenant: id, in: tx)
      guard let user = try FinapticUserStore(tx, vault: core.vault).find(subject.user)?.user else {
        throw Problem.notFound
      }
      try core.note("user.exported", user.chain, by: actor, in: tx)
      return (tenant, user)
    }
    return try await core.database.read { tx in
      let subject = try erasure.find(user.id.rawValue, tenant: id, in: tx)
      let applications = OnboardingStore(tx, vault: core.vault)
      let cards = try user.customer.map { try CardExport(of: $0, tenant: id, core, in: tx) }
      return FinapticExport(
        exportedAt: core.world.now().rfc3339, tenant: id, user: user.id.rawValue, email: user.profile.email,
        username: user.profile.username, customer: user.customer, createdAt: user.createdAt.rfc3339,
        profile: try user.customer.flatMap { try ClientProfileStore(tx, vault: core.vault).find($0) },
        applications: try subject.applications.compactMap { try applications.find($0) }.map {
          .init(id: $0.id.rawValue, bundle: $0.bundle, status: $0.status.rawValue, content: $0.content)
        },
        accounts: try user.customer.map { try statements(of: $0, tenant, in: tx) } ?? [],
        cards: cards?.cards ?? [], invitations: cards?.invitations ?? [],
        chats: try erasure.conversations.export(user.id.rawValue, tenant: tenant.session, in: tx).map {
          .init(
            thread: .init($0.conversation, customer: user.customer ?? user.id.rawValue),
            messages: $0.messages.map(FinapticAPI.ChatMessage.init))
        },
        autodeposit: try user.customer.map { try InteracRights.registrations(of: $0, core, in: tx) } ?? [],
        interacTransfers: try user.customer.map { try InteracRights.transfers(of: $0, core, in: tx) } ?? [],
        sentMessages: try MessageLog.list(about: user.id.rawValue, vault: core.vault, in: tx).map { .init($0) },
        sessions: try erasure.sessions.records(of: user.id.rawValue, in: tx).map {
          "\($0.createdAt.rfc3339) \($0.revokedReason ?? "")"
        },
        history: try AuditStore(tx).lines(of: "finaptic-\(user.chain)", after: 0, limit: Self.entriesMax).map {
          .init(action: $0.action, at: $0.at.rfc3339)
        })
    }
  }

  private func statements(
    of customer: String, _ tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> [FinapticExport.Statement] {
    var names = try TransactionNames(tx, vault: core.vault, tenant: tenant, customer: customer)
    let store = BankTransactionStore(tx, vault: core.vault)
    return try AccountStore(tx).all(of: customer, tenant: tenant.id, limit: Ledger.pageMax).map { account in
      var (all, end) = ([FinapticAPI.Transaction](), LedgerTime(microseconds: .max))
      while true {
        let page = try store.older(than: end, on: account.id, limit: PageTokens.pageMax)
        all += try page.map { try names.view($0) }
        guard page.count == PageTokens.pageMax, let last = page.last else { break }
        end = last.at
      }
      let notices = try TermsChangeStore(tx).notices(on: account.id, limit: Self.entriesMax)
      return .init(
        account: account.view(try AccountNumberStore(tx).number(of: account.id)), transactions: all,
        termsNotices: notices.map { .init($0) })
    }
  }
}
