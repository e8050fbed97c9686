// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Ledger
import Storage

/// `statement`, which apps call for their customers, and `/api/v1/finaptic/accounts/{id}/statements…`, which a bank's
/// own systems call with the scope `bank`: additions of ours to the published interface.
struct StatementRoutes: Sendable {
  private typealias Context = ClientContext<ServiceClient>

  let calls: FinapticCalls
  let statements: MonthlyStatements
  let tenants: FinapticTenants
  private var core: CoreDependencies { calls.core }

  func add(to groups: FinapticRouteGroups) {
    groups.customers.post("statement/listStatements", use: list)
    groups.customers.post("statement/getStatement", use: get)
  }

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("accounts/{id}/statements")
    group.get(use: bankList)
    group.get("{statement}/{form}", use: bankGet)
    group.post("{statement}/corrections", use: correct)
  }

  // MARK: For customers

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.AccountRequest.self)
    return try Response.json(
      try await core.database.read { tx in
        let account = try AccountAccess(tx, context).account(asked.accountId)
        return FinapticAPI.StatementsResponse(
          statements: try MonthlyStatementStore(tx).all(of: account.id).map(\.view))
      })
  }

  @Sendable
  private func get(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.StatementRequest.self)
    guard let format = MonthlyStatement.Format(rawValue: asked.format ?? "") else {
      throw Problem.finapticFields([.init("/format", "unknown", "PDF or CAMT_053.")])
    }
    let id = MonthlyStatement.ID(rawValue: try AccountAccess.uuid(asked.statementId, field: "/statementId"))
    let account = try await core.database.read { try AccountAccess($0, context).account(asked.accountId).id }
    let statement = try await statements.find(id, on: account, of: context.tenant.id)
    return try Response.json(
      FinapticAPI.StatementResponse(
        statement: statement.view, mediaType: format.mediaType,
        content: try await statements.document(statement, format)))
  }

  // MARK: For banks

  @Sendable
  private func bankList(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (account, tenant) = (try Self.account(context), try await tenants.find(of: context.client, scope: .bank))
    return try Response.json(
      try await core.database.read { tx in
        guard try AccountStore(tx).find(account, tenant: tenant.id) != nil else { throw Problem.notFound }
        return FinapticAPI.StatementsResponse(
          statements: try MonthlyStatementStore(tx).all(of: account).map(\.view))
      })
  }

  @Sendable
  private func bankGet(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (account, tenant) = (try Self.account(context), try await tenants.find(of: context.client, scope: .bank))
    guard let format = MonthlyStatement.Format(suffix: try context.parameters.require("form")) else {
      throw Problem.notFound
    }
    let statement = try await statements.find(try Self.statement(context), on: account, of: tenant.id)
    return Response.attachment(
      try await statements.document(statement, format), format.mediaType,
      named: "statement-\(statement.month.text)-\(statement.revision).\(format.suffix)")
  }

  @Sendable
  private func correct(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (account, id, actor) = (try Self.account(context), try Self.statement(context), context.client.actor)
    let tenant = try await tenants.find(of: context.client, scope: .bank)
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let call = try calls.change(request, context, content, try content.decode(as: Correction.self))
    return try await calls.act(call) { _ in
      try await statements.correct(id, on: account, of: tenant, reason: call.body.reason, by: actor).view
    }
  }

  /// Why a statement is made anew.
  private struct Correction: Decodable, Sendable { let reason: String }

  private static func account(_ context: Context) throws -> BankAccount.ID {
    .init(rawValue: try context.parameters.requireUUID("id"))
  }

  private static func statement(_ context: Context) throws -> MonthlyStatement.ID {
    .init(rawValue: try context.parameters.requireUUID("statement"))
  }
}

extension MonthlyStatement {
  var view: FinapticAPI.Statement {
    .init(
      statementId: id.rawValue, accountId: account.rawValue, month: month.text, revision: revision,
      correctsStatementId: corrects?.rawValue, language: language, createdTime: LedgerTime(createdAt).wire,
      documents: Format.allCases.map {
        .init(format: $0.rawValue, sha256: self[$0].digest, size: self[$0].size)
      })
  }
}
