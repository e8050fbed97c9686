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

@Suite("Finaptic: what moves much money takes a second person")
struct FourEyesTests {
  private struct Posting: Codable {
    var purpose = "DEPOSIT"
    let account_id: String
    var amount = FinapticAPI.Amount(amount: "10000.01", currency: "CAD")
    var reason = "CUSTOMER_PAYMENT"
    var reference: String? = "WIRE 4711"

    init(_ account: BankAccount.ID) { account_id = account.rawValue }
  }

  private struct Answer: Decodable {
    let status: String
    let approval_id: String?
    let transaction_id: String?
  }

  private struct Refusal: Decodable { let code: String }

  private struct Approvals: Decodable {
    struct One: Decodable {
      let approval_id: String
      let content: String
      let maker: String
      let checker: String?
      let state: String
    }

    let approvals: [One]
  }

  /// A client with the scope `post` and one with the scope `approve`.
  private struct Desk {
    let app: CardTestApp
    let account: BankAccount.ID
    let maker: IssuedSecret
    let checker: IssuedSecret

    init(_ app: CardTestApp) async throws {
      self.app = app
      account = try await app.open(for: app.customer("ada"), cents: 0).account
      maker = try await app.accounts.app.addFinapticPostingClient("core", tenant: CardTestApp.tenant, by: "operator")
      checker = try await app.accounts.app.addFinapticApprovingClient(
        "control", tenant: CardTestApp.tenant, by: "operator")
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

    func problem(_ posting: Posting, once key: String) async throws -> String {
      let answer = try await call("/postings", posting, as: maker, once: key)
      let refusal = try JSONDecoder().decode(Refusal.self, from: answer.body)
      return "\(answer.status) \(refusal.code)"
    }

    func balance() async throws -> Int64 { try await app.balance(of: account)[0] }
  }

  private static func key() -> String { UUID().uuidString.lowercased() }

  @Test("a large posting is booked once, by the maker, after another client agreed to it; both are in the audit")
  func whole() async throws {
    try await CardTestApp.run { app in
      let desk = try await Desk(app)
      let (posting, key) = (Posting(desk.account), Self.key())
      let approval = try await desk.ask(posting, once: key)
      // Asked again, it is the same request, and nothing is booked.
      #expect(try await desk.ask(posting, once: key) == approval)
      #expect(try await desk.balance() == 0)
      let list = try await desk.call("/approvals", nil, as: desk.checker)
      let waiting = try JSONDecoder().decode(Approvals.self, from: list.body).approvals
      #expect(waiting.map(\.approval_id) == [approval])
      #expect(waiting.first?.content.contains("10000.01 CAD") == true)
      #expect(waiting.first?.content.contains("reference WIRE 4711") == true)
      #expect(waiting.first?.maker == desk.maker.client.actor)
      #expect(try await desk.decide(approval) == 200)
      #expect(try await desk.decide(approval) == 409)
      let booked = try await desk.post(posting, once: key)
      #expect(booked.status == 200 && booked.answer?.status == "BOOKED")
      // A replay has the same answer and books nothing.
      let again = try await desk.post(posting, once: key)
      #expect(again.status == 200 && again.answer?.transaction_id == booked.answer?.transaction_id)
      #expect(try await desk.balance() == 10_000_01)
      // The word is used up: the same posting under another key asks anew.
      #expect(try await desk.ask(posting, once: Self.key()) != approval)
      let account = desk.account
      let facts = try await app.database.read { tx in
        try AuditStore(tx).lines(of: "finaptic-account-\(account)").filter { $0.action == "finaptic.act.carriedOut" }
          .map(\.facts)
      }
      #expect(facts.count == 1)
      #expect(facts.first?["maker"] == desk.maker.client.actor && facts.first?["checker"] == desk.checker.client.actor)
    }
  }

  @Test("nothing else than what was approved is booked: another amount, reason or reference, or a moved account")
  func bound() async throws {
    try await CardTestApp.run { app in
      let desk = try await Desk(app)
      let (posting, key) = (Posting(desk.account), Self.key())
      #expect(try await desk.decide(desk.ask(posting, once: key)) == 200)
      var changed = [posting, posting, posting, posting]
      changed[0].amount = .init(amount: "99999.99", currency: "CAD")
      changed[1].reason = "GOODWILL"
      changed[2].reference = nil
      changed[3].purpose = "ADJUSTMENT_CREDIT"
      for other in changed {
        #expect(try await desk.problem(other, once: key) == "409 idempotency-conflict")
        // Under another key it is another request.
        #expect(try await desk.post(other, once: Self.key()).status == 202)
      }
      #expect(try await desk.balance() == 0)
      // Something small was booked since.
      var small = posting
      small.amount = .init(amount: "1.00", currency: "CAD")
      #expect(try await desk.post(small, once: Self.key()).status == 200)
      #expect(try await desk.problem(posting, once: key) == "409 subject-changed")
      // The account was frozen since.
      let next = Self.key()
      #expect(try await desk.decide(desk.ask(posting, once: next)) == 200)
      _ = try await app.dependencies.bankStops.setStatus(
        BankAccount.Status.frozen, of: desk.account.rawValue, tenant: CardTestApp.tenant, reason: "LEGAL_ORDER",
        payout: nil, by: "test")
      #expect(try await desk.problem(posting, once: next) == "409 subject-changed")
      #expect(try await desk.balance() == 1_00)
    }
  }

  @Test("who asks does not agree; nor do other tenants, other scopes and revoked clients")
  func secondOne() async throws {
    try await CardTestApp.run { app in
      let desk = try await Desk(app)
      let other = try await app.accounts.app.addFinapticApprovingClient(
        "control", tenant: AccountTestApp.otherTenant, by: "operator")
      let (posting, key) = (Posting(desk.account), Self.key())
      let approval = try await desk.ask(posting, once: key)
      #expect(try await desk.decide(approval, as: desk.maker) == 403)
      #expect(try await desk.decide(approval, as: other) == 404)
      #expect(try await desk.decide(approval, "maybe") == 422)
      // In the domain, whatever its scopes are.
      await #expect(throws: Problem.self) {
        try await app.database.write { tx in
          try app.dependencies.core.cases.decide(
            approval, agreeing: true, by: desk.maker.client.actor, holding: "approve:money", in: tx)
        }
      }
      #expect(try await desk.post(posting, once: key).status == 202)
      #expect(try await desk.decide(approval) == 200)
      try await app.accounts.app.serviceClients.revoke(desk.checker.client.id, by: "operator")
      // Its word does not count any more.
      #expect(try await desk.problem(posting, once: key) == "403 approval-required")
      #expect(try await desk.balance() == 0)
    }
  }

  @Test("a refusal stands, and an approval ends after a day")
  func endings() async throws {
    try await CardTestApp.run { app in
      let desk = try await Desk(app)
      let (posting, refused, late) = (Posting(desk.account), Self.key(), Self.key())
      #expect(try await desk.decide(desk.ask(posting, once: refused), "refused") == 200)
      #expect(try await desk.problem(posting, once: refused) == "409 approval-refused")
      let approval = try await desk.ask(posting, once: late)
      #expect(try await desk.decide(approval) == 200)
      app.accounts.clock.advance(by: .hours(24))
      #expect(try await desk.problem(posting, once: late) == "409 approval-expired")
      #expect(try await desk.balance() == 0)
    }
  }

  @Test("holds, releases and reversals take a second one from the same amount on")
  func others() async throws {
    try await CardTestApp.run { app in
      let desk = try await Desk(app)
      let hold = [
        "reason": AnyJSON.text("FRAUD"), "account_id": .text(desk.account.rawValue),
        "amount": .amount("60.00"),
      ]
      try await app.deposit(100_00, on: desk.account)
      var posting = Posting(desk.account)
      posting.amount = .init(amount: "60.00", currency: "CAD")
      let booked = try await desk.post(posting, once: Self.key())
      let held = try await desk.call("/postings/holds", hold, as: desk.maker, once: Self.key())
      let holdID = try #require(try JSONDecoder().decode(Answer.self, from: held.body).transaction_id)
      try await app.dependencies.fourEyes.setAmount(50_00, of: CardTestApp.tenant, by: "test")
      let reason = ["reason": "BANK_ERROR"]
      let transfer = try #require(booked.answer?.transaction_id)
      let acts: [(String, any Encodable)] = [
        ("/postings/\(transfer)/reversal", reason), ("/postings/holds/\(holdID)/release", reason),
        ("/postings/holds", hold),
      ]
      for (path, body) in acts {
        let key = Self.key()
        let asked = try await desk.call(path, body, as: desk.maker, once: key)
        #expect(asked.status == 202, "\(path)")
        let approval = try #require(try JSONDecoder().decode(Answer.self, from: asked.body).approval_id)
        #expect(try await desk.decide(approval) == 200)
        for _ in 0..<2 { #expect(try await desk.call(path, body, as: desk.maker, once: key).status == 200, "\(path)") }
      }
      #expect(try await app.balance(of: desk.account) == [100_00, 40_00])
    }
  }

  private enum AnyJSON: Encodable {
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
