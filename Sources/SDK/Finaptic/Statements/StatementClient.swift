// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Statements of accounts, one for each month that is over. ⊕
public protocol StatementClient: AnyObject, Sendable {
  /// The statements of an account.
  func listStatements(
    request: ListStatementsRequest, completion: @escaping FinapticCompletion<ListStatementsResponse>)

  /// A document of a statement.
  func getStatement(request: GetStatementRequest, completion: @escaping FinapticCompletion<GetStatementResponse>)
}

extension StatementClient {
  /// The statements of an account.
  public func listStatements(request: ListStatementsRequest) async throws(FinapticError) -> ListStatementsResponse {
    try await withCheckedContinuation { done in listStatements(request: request) { done.resume(returning: $0) } }.get()
  }

  /// A document of a statement.
  public func getStatement(request: GetStatementRequest) async throws(FinapticError) -> GetStatementResponse {
    try await withCheckedContinuation { done in getStatement(request: request) { done.resume(returning: $0) } }.get()
  }
}

/// Statements of accounts, over the wire.
final class LiveStatementClient: StatementClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func listStatements(
    request: ListStatementsRequest, completion: @escaping FinapticCompletion<ListStatementsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.StatementsResponse = try await calls.send(
        .listStatements, FinapticAPI.AccountRequest(accountId: request.accountId))
      return ListStatementsResponse(statements: answer.statements.map(Statement.init))
    }
  }

  func getStatement(request: GetStatementRequest, completion: @escaping FinapticCompletion<GetStatementResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.StatementResponse = try await calls.send(
        .getStatement,
        FinapticAPI.StatementRequest(
          accountId: request.accountId, statementId: request.statementId, format: request.format.rawValue))
      return GetStatementResponse(
        statement: Statement(answer.statement), mediaType: answer.mediaType, content: answer.content)
    }
  }
}

extension Statement {
  fileprivate init(_ wire: FinapticAPI.Statement) {
    self.init(
      statementId: wire.statementId, accountId: wire.accountId, month: wire.month, revision: wire.revision,
      correctsStatementId: wire.correctsStatementId, language: wire.language, createdTime: wire.createdTime.date,
      documents: wire.documents.compactMap { document in
        StatementFormat(rawValue: document.format).map {
          Document(format: $0, sha256: document.sha256, size: document.size)
        }
      })
  }
}
