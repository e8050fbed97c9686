// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseTransport
import Testing

@testable import Finaptic

@Suite("Finaptic: statements")
struct StatementTests {
  private static let statement = """
    {"statement_id":"s-2","account_id":"a-1","month":"2026-10","revision":2,"corrects_statement_id":"s-1",
     "language":"fr-CA","created_time":"2026-11-01T00:10:00.000000Z","documents":[
       {"format":"PDF","sha256":"00ff","size":3},{"format":"MT_940","sha256":"11ff","size":4}]}
    """

  private static func answer(_ text: String) -> PlayedServer.Answer {
    { (_) async throws(TransportError) in TransportResponse(status: 200, body: Data(text.utf8)) }
  }

  @Test("a document comes with its statement, and a form of a newer server is left out")
  func read() async throws {
    let server = PlayedServer()
    server.play(.listStatements, Self.answer("{\"statements\":[\(Self.statement)]}"))
    server.play(
      .getStatement,
      Self.answer(
        "{\"statement\":\(Self.statement),\"media_type\":\"application/pdf\",\"content\":\"JVBE\"}"))
    let sdk = try await server.sdk()
    let listed = try await sdk.statementClient.listStatements(request: ListStatementsRequest(accountId: "a-1"))
    let first = try #require(listed.statements.first)
    #expect(first.month == "2026-10" && first.revision == 2 && first.correctsStatementId == "s-1")
    #expect(first.documents == [.init(format: .pdf, sha256: "00ff", size: 3)])
    #expect(first.createdTime == Date(timeIntervalSince1970: 1_793_491_800))
    let given = try await sdk.statementClient.getStatement(
      request: GetStatementRequest(accountId: "a-1", statementId: "s-2", format: .pdf))
    #expect(given.statement == first && given.content == Data("%PD".utf8) && given.mediaType == "application/pdf")
    #expect(server.requests(.getStatement).first?.url.path == "/finaptic/v1/statement/getStatement")
    #expect(
      server.requests(.getStatement).first?.text == #"{"account_id":"a-1","format":"PDF","statement_id":"s-2"}"#)
  }
}
