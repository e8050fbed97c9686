import FinapticWire
import HTTP
import Hummingbird
import Kit
import Ledger
import Storage

/// `coreTransaction`: accounts and their ledger (finaptic §3.8, §8.5).
package struct CoreTransactionRoutes: Sendable {
  private let service: FinapticService
  private var dependencies: FinapticDependencies { service.dependencies }

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    let customers = groups.customers
    customers.post("coreTransaction/listAccounts", use: listAccounts)
    customers.post("coreTransaction/getAccount", use: getAccount)
    customers.post("coreTransaction/listAuthorizedUsers", use: listAuthorizedUsers)
    customers.post("coreTransaction/listOwners", use: listOwners)
    customers.post("coreTransaction/listTransactions", use: listTransactions)
  }

  @Sendable
  private func listAccounts(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.ask(request, FinapticAPI.PageRequest.self) { [dependencies] asked in
      let size = try PageTokens.size(asked.pageSize)
      let tokens = PageTokens(dependencies.core.vault, "listAccounts", context.customer)
      let after = try tokens.position(asked.pageToken).map { BankAccount.ID(rawValue: $0) }
      let found = try await dependencies.core.database.read {
        try AccountStore($0).all(of: context.customer, tenant: context.tenant.id, after: after, limit: size + 1)
      }
      let page = found.prefix(size)
      return FinapticAPI.AccountsResponse(
        accounts: page.map(\.view),
        nextPageToken: try found.count > size ? page.last.map { try tokens.token($0.id.rawValue) } : nil)
    }
  }

  @Sendable
  private func getAccount(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await ofAccount(request, context) { $0.view }
  }

  @Sendable
  private func listAuthorizedUsers(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await ofAccount(request, context) {
      FinapticAPI.AuthorizedUsersResponse(authorizedUsers: $0.authorizedUsers)
    }
  }

  @Sendable
  private func listOwners(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await ofAccount(request, context) { FinapticAPI.OwnersResponse(owners: $0.owners) }
  }

  private func ofAccount(
    _ request: Request, _ context: FinapticCustomerContext,
    _ view: @Sendable (BankAccount) -> any Encodable & Sendable
  ) async throws -> Response {
    try await service.ask(request, FinapticAPI.AccountRequest.self) { [dependencies] asked in
      view(try await dependencies.core.database.read { try AccountAccess($0, context).account(asked.accountId) })
    }
  }

  @Sendable
  private func listTransactions(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.ask(request, FinapticAPI.ListTransactionsRequest.self) { [dependencies] asked in
      let page = try EntryPage(asked, customer: context.customer, vault: dependencies.core.vault)
      return try await dependencies.core.database.read { tx in
        _ = try AccountAccess(tx, context).account(asked.accountId)
        let found = try BankTransactionStore(tx, vault: dependencies.core.vault)
          .entries(of: page.account, from: page.from, to: page.to, limit: page.size + 1)
        return try page.response(found)
      }
    }
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
