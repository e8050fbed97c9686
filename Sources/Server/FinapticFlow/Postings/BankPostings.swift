// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// What operators book by command, each in one transaction, as the bank's own systems do over the API.
package struct BankPostings: Sendable {
  /// What is booked, in the words of the API.
  package struct Order: Sendable {
    let purpose: String
    let account: String
    let amount: String
    let currency: String
    let reason: String
    let reference: String?
    let valueDate: String?

    /// - Parameter valueDate: YYYY-MM-DD; nil for the day on which it is booked.
    package init(
      _ purpose: String, _ amount: String, currency: String = InternalAccounts.currency, on account: String,
      reason: String, reference: String? = nil, valueDate: String? = nil
    ) {
      (self.purpose, self.amount, self.currency, self.account) = (purpose, amount, currency, account)
      (self.reason, self.reference, self.valueDate) = (reason, reference, valueDate)
    }
  }

  package enum Outcome: Sendable, Equatable {
    /// With the id of the transaction.
    case booked(String)
    /// With a word of the books.
    case declined(String)
    /// Nothing is booked yet: the same order with the approval's id is booked once the second person has agreed.
    case waiting(RequestedApproval)
    /// It waits for its value date.
    case scheduled(ScheduledPostingLine)

    init(_ answer: PostingBodies.Answer) {
      switch answer {
      case .outcome(let outcome): self = outcome.declined.map { .declined($0) } ?? .booked(outcome.transaction_id)
      case .waiting(let waiting): self = .waiting(waiting.approval)
      case .scheduled(let posting): self = .scheduled(.init(posting))
      }
    }
  }

  let core: CoreDependencies
  let tenants: FinapticTenants
  let postings: Postings
  let waiting: ScheduledPostings

  /// The purposes and reasons that there are.
  package static var purposes: [String] { PostingPurpose.allCases.map(\.rawValue) }

  /// - Parameters:
  ///   - key: a UUID, under which the same order is booked once for ever; nil makes a new one.
  ///   - approval: the id of a second person's approval of the order; nil asks for one where it is needed.
  /// - Throws: `Problem` not found; those of `Postings.post`.
  package func post(
    _ order: Order, tenant: Int, key: String? = nil, approval: String? = nil, by actor: String
  ) async throws -> Outcome {
    let asked = PostingBodies.Posting(
      purpose: order.purpose, account_id: order.account,
      amount: FinapticAPI.Amount(amount: order.amount, currency: order.currency), reason: order.reason,
      reference: order.reference, value_date: order.valueDate)
    return try await book(tenant, key, approval) { [postings] key, found, tx in
      try postings.post(asked, key: key, of: found, by: actor, in: tx)
    }
  }

  /// Books the opposite of a transfer, once for ever.
  /// - Parameter transfer: the id of a posting or transfer.
  /// - Throws: `Problem` not found; those of `Postings.reverse`.
  package func reverse(
    _ transfer: String, reason: String, tenant: Int, key: String? = nil, approval: String? = nil, by actor: String
  ) async throws -> Outcome {
    try await book(tenant, key, approval) { [postings] key, found, tx in
      try postings.reverse(transfer.lowercased(), .init(reason: reason), key: key, of: found, by: actor, in: tx)
    }
  }

  /// Holds money on an account.
  /// - Parameter end: RFC 3339, when it ends by itself; nil for never.
  /// - Throws: `Problem` not found; those of `Postings.hold`.
  package func hold(
    _ amount: String, currency: String = InternalAccounts.currency, on account: String, reason: String,
    until end: String? = nil, tenant: Int, key: String? = nil, approval: String? = nil, by actor: String
  ) async throws -> Outcome {
    let asked = PostingBodies.Hold(
      account_id: account, amount: FinapticAPI.Amount(amount: amount, currency: currency), reason: reason,
      expires_at: end)
    return try await book(tenant, key, approval) { [postings] key, found, tx in
      try postings.hold(asked, key: key, of: found, by: actor, in: tx)
    }
  }

  /// Gives back what a hold keeps, of those that the bank made.
  /// - Throws: `Problem` not found; those of `Postings.release`.
  package func release(
    _ hold: String, reason: String, tenant: Int, key: String? = nil, approval: String? = nil, by actor: String
  ) async throws -> Outcome {
    try await book(tenant, key, approval) { [postings] key, found, tx in
      try postings.release(hold.lowercased(), .init(reason: reason), key: key, of: found, by: actor, in: tx)
    }
  }

  /// - Throws: `Problem` not found; validation for a key that is no UUID; those of `order`.
  private func book(
    _ tenant: Int, _ key: String?, _ approval: String?,
    _ order: @escaping @Sendable (_ key: String, FinapticTenant, any SQLTransaction) throws -> PostingBodies.Answer
  ) async throws -> Outcome {
    let found = try await tenants.find(tenant)
    let given = try Self.given(key)
    let answer = try await core.database.write(retrying: .outdated, .readCommitted) { [self] tx in
      try order(self.key(given, approval, of: found, in: tx), found, tx)
    }
    return Outcome(answer)
  }

  /// - Throws: `Problem` validation for a key that is no UUID.
  private static func given(_ key: String?) throws -> String? {
    guard let key else { return nil }
    guard let id = key.canonicalUUID else { throw Problem.validation([.init("/key", "malformed", "A UUID.")]) }
    return "command \(id)"
  }

  /// What the books know an order by: the key that is given, that of an approval, or a new one.
  private func key(
    _ given: String?, _ approval: String?, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> String {
    if approval == nil, let given { return given }
    return try FourEyesGate(core: core).key(ofCommand: approval, tenant: tenant, in: tx)
  }

  /// What waits for its value date, by that.
  /// - Throws: `Problem` not found.
  package func scheduled(of tenant: Int) async throws -> [ScheduledPostingLine] {
    let found = try await tenants.find(tenant)
    return try await waiting.waiting(of: found).map { ScheduledPostingLine(.init($0)) }
  }

  /// Takes back what waits for its value date.
  /// - Throws: `Problem` not found; validation; conflict `posting-ended`.
  package func withdraw(
    _ posting: String, reason: String, tenant: Int, by actor: String
  ) async throws -> ScheduledPostingLine {
    let (found, reason) = (try await tenants.find(tenant), try PostingReason(given: reason))
    let ended = try await core.database.write(retrying: .outdated, .readCommitted) { [waiting] tx in
      try waiting.withdraw(posting, because: reason, of: found, by: actor, in: tx)
    }
    return ScheduledPostingLine(.init(ended))
  }
}

/// A posting that waits for its value date, as commands show it.
package struct ScheduledPostingLine: Sendable, Equatable, Encodable {
  package let id, status, valueDate, purpose, account, amount, currency, reason: String

  init(_ posting: PostingBodies.Scheduled) {
    (id, status, valueDate) = (posting.posting_id, posting.status, posting.value_date)
    (purpose, account, reason) = (posting.purpose, posting.account_id, posting.reason)
    (amount, currency) = (posting.amount.amount, posting.amount.currency)
  }

  package var text: String { "\(id)  \(valueDate)  \(purpose)  \(account)  \(amount) \(currency)  \(reason)" }
}
