// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit
import Ledger
import Storage

/// `coreTransaction`: accounts and their ledger (finaptic §3.8, §8.5).
package struct CoreTransactionRoutes: Sendable {
  let calls: FinapticCalls
  private var core: CoreDependencies { calls.core }

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("coreTransaction")
    group.post("listAccounts", use: listAccounts)
    group.post("getAccount", use: getAccount)
    group.post("listAuthorizedUsers") {
      try await Response.json(FinapticAPI.AuthorizedUsersResponse(authorizedUsers: account($0, $1).authorizedUsers))
    }
    group.post("listOwners") { try await Response.json(FinapticAPI.OwnersResponse(owners: account($0, $1).owners)) }
    group.post("listTransactions", use: listTransactions)
  }

  @Sendable
  private func listAccounts(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.PageRequest.self)
    let size = try PageTokens.size(asked.pageSize)
    let tokens = PageTokens(core.vault, "listAccounts", context.customer)
    let after = try tokens.position(asked.pageToken).map { BankAccount.ID(rawValue: $0) }
    let (found, numbers) = try await core.database.read { tx in
      let found = try AccountStore(tx).all(
        of: context.customer, tenant: context.tenant.id, after: after, limit: size + 1)
      return (found, try AccountNumberStore(tx).numbers(of: found.map(\.id)))
    }
    let page = found.prefix(size)
    return try Response.json(
      FinapticAPI.AccountsResponse(
        accounts: page.map { $0.view(numbers[$0.id]) },
        nextPageToken: try found.count > size ? page.last.map { try tokens.token($0.id.rawValue) } : nil))
  }

  @Sendable
  private func getAccount(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.AccountRequest.self)
    return try Response.json(
      try await core.database.read { tx in
        let account = try AccountAccess(tx, context).account(asked.accountId)
        return account.view(try AccountNumberStore(tx).number(of: account.id))
      })
  }

  /// The account that is asked about.
  private func account(_ request: Request, _ context: FinapticCustomerContext) async throws -> BankAccount {
    let asked = try await calls.body(request, FinapticAPI.AccountRequest.self)
    return try await core.database.read { try AccountAccess($0, context).account(asked.accountId) }
  }

  @Sendable
  private func listTransactions(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.ListTransactionsRequest.self)
    let page = try EntryPage(asked, customer: context.customer, vault: core.vault)
    return try Response.json(
      try await core.database.read { tx in
        _ = try AccountAccess(tx, context).account(asked.accountId)
        let found = try BankTransactionStore(tx, vault: core.vault)
          .entries(of: page.account, from: page.from, to: page.to, limit: page.size + 1)
        return try page.response(found)
      })
  }
}

/// Which entries of the ledger a customer asks for: `from` and after, before `to`, the newest first.
struct EntryPage: Sendable {
  let account: BankAccount.ID
  let from: LedgerTime
  /// Where the page before ended, or the end that was asked for.
  let to: LedgerTime
  let size: Int
  private let tokens: PageTokens

  /// - Throws: `Problem` invalid argument, with all that is wrong.
  init(_ asked: FinapticAPI.ListTransactionsRequest, customer: String, vault: Vault) throws {
    var check = InputCheck()
    let id = check.id(asked.accountId, "accountId")
    let from = check.instant(asked.from, "from")
    let to = check.instant(asked.to, "to")
    if let from, let to, from > to { check.refuse("from", "range", "Not after the end.") }
    if (asked.pageSize ?? 0) < 1 { check.refuse("pageSize", "range", "One or more.") }
    try check.end()
    guard let id else { throw Problem.unexpected }
    (account, size) = (.init(rawValue: id), try PageTokens.size(asked.pageSize))
    self.from = from.map { LedgerTime(microseconds: $0.microsecondsSince1970) } ?? LedgerTime(microseconds: .min)
    tokens = PageTokens(
      vault, "listTransactions", customer, id, "\(from?.microsecondsSince1970 ?? .min)",
      "\(to?.microsecondsSince1970 ?? .max)")
    let position = try tokens.position(asked.pageToken).flatMap(Int64.init)
    self.to = LedgerTime(microseconds: position ?? to?.microsecondsSince1970 ?? .max)
  }

  /// - Parameter found: one more than the page has, should there be.
  func response(_ found: [BankTransaction]) throws -> FinapticAPI.AccountTransactionsResponse {
    let page = found.prefix(size)
    return .init(
      transactions: page.map(\.entryView),
      nextPageToken: try found.count > size ? page.last.map { try tokens.token("\($0.at.microseconds)") } : nil)
  }
}

extension InputCheck {
  /// RFC 3339; nil when absent.
  mutating func instant(_ value: String?, _ path: String) -> FinapticAPI.Instant? {
    guard let text = Self.clean(value) else { return nil }
    guard let instant = FinapticAPI.Instant(text) else {
      refuse(path, "format", "An instant such as 2026-11-22T12:00:00Z.")
      return nil
    }
    return instant
  }
}
