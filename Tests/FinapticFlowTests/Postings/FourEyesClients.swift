// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Identity
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// Two clients of a bank: one with the scope `post` and one with the scope `approve`.
struct FourEyesClients {
  struct Posting: Codable {
    var purpose = "DEPOSIT"
    let account_id: String
    var amount = FinapticAPI.Amount(amount: "10000.01", currency: "CAD")
    var reason = "CUSTOMER_PAYMENT"
    var reference: String? = "WIRE 4711"
    var value_date: String?

    init(_ account: BankAccount.ID) { account_id = account.rawValue }
  }

  struct Answer: Decodable {
    let status: String
    let approval_id: String?
    let transaction_id: String?
    let posting_id: String?
  }

  private struct Refusal: Decodable { let code: String }

  struct Approvals: Decodable {
    struct One: Decodable {
      let approval_id: String
      let content: String
      let maker: String
      let checker: String?
      let state: String
    }

    let approvals: [One]
  }

  let app: CardTestApp
  let account: BankAccount.ID
  let maker: IssuedSecret
  let checker: IssuedSecret

  init(_ app: CardTestApp) async throws {
    self.app = app
    account = try await app.open(for: app.customer("ada"), cents: 0).account
    maker = try await app.accounts.app.addFinapticClient(.post, "core", tenant: CardTestApp.tenant, by: "operator")
    checker = try await app.accounts.app.addFinapticClient(
      .approve, "control", tenant: CardTestApp.tenant, by: "operator")
  }

  func call(
    _ path: String, _ body: (any Encodable)?, as client: IssuedSecret, once: String? = nil
  ) async throws -> CardTestApp.Answer {
    let basic = Data("\(client.client.id):\(client.secret)".utf8).base64EncodedString()
    var headers = ["Authorization": "Basic \(basic)"]
    if let once { headers["Idempotency-Key"] = once }
    let encoded = try body.map { try WireJSON.encode($0) } ?? Data()
    return try await app.accounts.call(
      body == nil ? .get : .post, "\(FinapticServerDialect.base)\(path)", encoded, headers: headers)
  }

  func post(_ posting: Posting, once key: String) async throws -> (status: Int, answer: Answer?) {
    let answer = try await call("/postings", posting, as: maker, once: key)
    return (answer.status, try? JSONDecoder().decode(Answer.self, from: answer.body))
  }

  func decide(_ approval: String, _ word: String = "approved", as client: IssuedSecret? = nil) async throws -> Int {
    try await call("/approvals/\(approval)/decision", ["decision": word], as: client ?? checker).status
  }

  /// Asks for a posting that waits.
  func ask(_ posting: Posting, once key: String) async throws -> String {
    let (status, answer) = try await post(posting, once: key)
    #expect(status == 202)
    return try #require(answer?.approval_id)
  }

  func problem(_ body: some Encodable, at path: String = "/postings", once key: String) async throws -> String {
    let answer = try await call(path, body, as: maker, once: key)
    let refusal = try JSONDecoder().decode(Refusal.self, from: answer.body)
    return "\(answer.status) \(refusal.code)"
  }

  /// What who asked takes back: the status of the answer.
  func withdraw(_ approval: String, as client: IssuedSecret? = nil) async throws -> Int {
    try await call("/approvals/\(approval)/withdrawal", [String: String](), as: client ?? maker).status
  }

  /// Whether an act cannot be carried out any more as it was asked for, as a page tells it that only reads.
  func isVoid(_ act: BoundAct) async throws -> Bool {
    let parts = app.dependencies
    return try await app.database.read { try parts.version(of: act, in: $0) != act.version }
  }

  func balance() async throws -> Int64 { try await app.balance(of: account)[0] }

  static func key() -> String { UUID().uuidString.lowercased() }

  enum AnyJSON: Encodable {
    case text(String)
    case amount(String)

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .text(let text): try text.encode(to: encoder)
      case .amount(let amount): try FinapticAPI.Amount(amount: amount, currency: "CAD").encode(to: encoder)
      }
    }
  }
}
