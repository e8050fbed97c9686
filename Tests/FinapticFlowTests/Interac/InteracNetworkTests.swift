// SPDX-License-Identifier: Apache-2.0
import Delivery
import FinapticWire
import Foundation
import Identity
import Kit
import Ledger
import Storage
import Synchronization
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: Interac by a tenant's connector")
struct InteracNetworkTests {
  private static let url = "https://interac.example/v1"

  /// A connector that is told, with the status of its answers.
  private final class Connector: Sendable {
    let calls = Mutex<[PeerHTTP.Call]>([])
    let status = Mutex(204)

    var peer: PeerHTTP {
      PeerHTTP { [self] call in
        calls.withLock { $0.append(call) }
        return .init(status: status.withLock(\.self))
      }
    }
  }

  private static func body(_ message: String, _ number: String, _ more: [String: String] = [:]) throws -> Data {
    var body: [String: Any] = [
      "message_id": message, "interac_payment_number": number, "alias_email": "ada@pay.example",
      "amount": ["amount": "25.00", "currency": "CAD"], "sender_name": "Grace Hopper",
    ]
    for (name, value) in more { body[name] = value.isEmpty ? nil : value }
    return try JSONSerialization.data(withJSONObject: body)
  }

  @Test("money and its recall come once for a message, and the connector is told how money and registrations stand")
  func whole() async throws {
    try await AccountTestApp.run { app in
      let (ada, parts) = (try await app.customer("ada@finaptic.com", accounts: 2), app.dependencies)
      func basic(_ issued: IssuedSecret) -> [String: String] {
        ["Authorization": "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()]
      }
      let hub = basic(
        try await app.app.addFinapticClient(.interac, "hub", tenant: AccountTestApp.tenant, by: "operator"))
      @Sendable func send(_ body: Data, to path: String = "transfers") async throws -> AccountTestApp.Answer {
        try await app.call(.post, "\(InteracNetworkRoutes.path)/\(path)", body, headers: hub)
      }
      @Sendable func sent(_ body: Data, to path: String = "transfers") async throws -> SimulationBodies.Sent {
        let answer = try await send(body, to: path)
        try #require(answer.status == 200, "\(answer.status) \(answer.json)")
        return try JSONDecoder().decode(SimulationBodies.Sent.self, from: answer.body)
      }
      let recall = try JSONSerialization.data(
        withJSONObject: ["message_id": "m-2", "interac_payment_number": "CA1"])
      #expect(try await send(Self.body("m-1", "CA1")).status == 503)
      try await parts.interacSettings.setConnector(
        Self.url, token: "secret-token", of: AccountTestApp.tenant, by: "test")
      let first = try await sent(Self.body("m-1", "CA1"))
      #expect(first.transferStatus == "AVAILABLE")
      #expect(try await sent(Self.body("m-1", "CA1")) == first)
      for known in [("m-1", "CA2"), ("m-9", "CA1")] {
        #expect(try await send(Self.body(known.0, known.1)).status == 409, "\(known)")
      }
      for wrong in [
        ["alias_email": ""], ["sender_name": " "], ["sender_name": "\u{202e}"],
        ["sender_name": String(repeating: "e\u{301}", count: 140)], ["sender_memo": "one\u{7}two"],
        ["security_question": "Colour?"], ["answer_hash": "00"],
        ["expires_at": "2020-01-01T00:00:00Z"], ["interac_payment_number": "CA-1"],
      ] { #expect(try await send(Self.body("m-8", "CA8", wrong)).status == 422, "\(wrong)") }
      let completed = try await app.call(
        .completeIncomingTransfer,
        FinapticAPI.CompleteIncomingTransferRequest(interacPaymentNumber: "CA1", targetAccountId: ada.account), as: ada)
      #expect(completed.status == 200)
      // Too late: the answer tells where the money is.
      #expect(try await sent(recall, to: "recalls").transferStatus == "ACCEPTED")
      let unknown = try JSONSerialization.data(
        withJSONObject: ["message_id": "m-7", "interac_payment_number": "CA7"])
      #expect(try await send(unknown, to: "recalls").status == 404)

      let simulation = try await app.simulation()
      func registered(_ alias: String) async throws -> String {
        let made: FinapticAPI.RegistrationResponse = try await app.call(
          .createRegistration,
          FinapticAPI.CreateRegistrationRequest(
            registration: .init(accountId: ada.account, aliasEmail: alias)), as: ada
        ).view()
        let id = try #require(made.registration.registrationId)
        _ = try await app.database.write { try simulation.confirm(.init(registrationId: id), in: $0) }
        return id
      }
      let id = try await registered("ada@pay.example")
      // As a telephone copies a number.
      let memo = ["sender_memo": "Call\u{2028}\u{202a}+1 514 555 0143\u{202c}"]
      let direct = try await sent(Self.body("m-3", "CA3", memo))
      #expect(direct.transferType == "INTERAC_AUTODEPOSIT" && direct.accountId == ada.account)
      let kept = try await app.database.read {
        try IncomingTransferStore($0, vault: app.vault).find(.init(rawValue: "CA3"))
      }
      #expect(kept?.content.senderMemo == "Call +1 514 555 0143")
      #expect(try await app.balance(ada.account) == 50_00)

      let hash = try #require(SecurityAnswer.hash(of: "Blue", salt: "s4"))
      let asked = try await sent(
        Self.body(
          "m-4", "CA4",
          [
            "alias_email": "", "alias_phone_number": "+16135550143", "security_question": "Colour?",
            "hash_salt": "s4", "answer_hash": hash,
          ]))
      #expect(asked.transferStatus == "AVAILABLE")
      let right = try await app.call(
        .authenticateIncomingTransfer,
        FinapticAPI.AuthenticateIncomingTransferRequest(interacPaymentNumber: "CA4", securityAnswer: hash), as: ada)
      #expect(try right.view(FinapticAPI.AuthenticateIncomingTransferResponse.self).success)
      let back = try JSONSerialization.data(withJSONObject: ["message_id": "m-5", "interac_payment_number": "CA4"])
      #expect(try await sent(back, to: "recalls").transferStatus == "CANCELED")

      let other = basic(
        try await app.app.addFinapticClient(.bank, "core", tenant: AccountTestApp.tenant, by: "operator"))
      let body = try Self.body("m-6", "CA6")
      #expect(try await app.call(.post, "\(InteracNetworkRoutes.path)/transfers", body, headers: other).status == 403)

      // What the network has to know of is owed, and told as it stands.
      func owed() async throws -> [[String]] {
        try await app.database.read { tx in
          try tx.query("SELECT subject, payload FROM outbox WHERE topic = \(InteracNotifier.topic) ORDER BY payload")
            .map { [try $0.get("subject"), try $0.get("payload")] }
        }
      }
      let all = try await owed()
      try #require(all == [["", "directory 7 0"], [id, "registration 7 0"], ["CA1", "transfer 7 0"]])
      let connector = Connector()
      let http = InteracNetwork.http(connector.peer, database: app.database, vault: app.vault)
      func tell(_ owed: ArraySlice<[String]>, by network: InteracNetwork? = nil) async throws {
        let notifier = InteracNotifier(core: parts.core, network: network ?? http)
        for one in owed {
          try await notifier.deliver(
            OutboxItem(
              id: .init(rawValue: "1"), topic: InteracNotifier.topic, subject: one[0], payload: one[1], attempts: 0,
              enqueuedAt: parts.core.world.now(), origin: nil))
        }
      }
      for status in [503, 422] {
        connector.status.withLock { $0 = status }
        await #expect(throws: (any Error).self) { try await tell(all[1...]) }
      }
      connector.status.withLock { $0 = 204 }
      connector.calls.withLock { $0 = [] }
      try await tell(all[1...])
      let calls = connector.calls.withLock(\.self)
      #expect(
        calls.map { "\($0.method) \($0.url)" }
          == ["PUT \(Self.url)/registrations/\(id)", "PUT \(Self.url)/transfers/CA1"])
      #expect(calls.allSatisfy { $0.headers["Authorization"] == "Bearer secret-token" })
      let told = calls.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(told[0].contains(#""alias_email":"ada@pay.example""#) && told[0].contains(ada.account))
      #expect(told[1].contains(#""status":"ACCEPTED""#))
      // Whenever a connector is named, it learns of what was confirmed before.
      try await tell(all[..<1])
      #expect(try await owed().count { $0[0] == id } == 2)

      // The account closes while the connector is told of it: its money waits, and the end is told last.
      let update = FinapticAPI.UpdateRegistrationRequest(registrationId: id, accountId: ada.accounts[1])
      #expect(try await app.call(.updateRegistration, update, as: ada).status == 200)
      connector.calls.withLock { $0 = [] }
      let overtaken = InteracNetwork { told, tenant in
        try await http.tell(told, tenant)
        guard case .registration = told else { return }
        try await app.database.write { tx in
          _ = try parts.ledger.close(.init(rawValue: ada.accounts[1]), tenant: "finaptic-7", in: tx)
        }
        #expect(try await sent(Self.body("m-10", "CA10")).transferStatus == "AVAILABLE")
      }
      try await tell(all[1..<2], by: overtaken)
      let last = connector.calls.withLock(\.self)
      #expect(last.map(\.method) == ["PUT", "DELETE"])
      #expect(last.map { $0.headers["Registration-Version"] } == ["3", "4"])
      #expect(String(decoding: try #require(last.first).body, as: UTF8.self).contains(#""version":3"#))
      #expect(try await owed().contains([id, "registration 7 3"]))
      connector.status.withLock { $0 = 404 }
      connector.calls.withLock { $0 = [] }
      await #expect(throws: InteracNetwork.Unavailable.self) { try await tell(all[1...]) }
      #expect(connector.calls.withLock { $0.first?.method } == "DELETE")

      // An alias that cannot be opened keeps no customer from being erased.
      let broken = try await registered("ada2@pay.example")
      let subject = try await app.database.read { try parts.erasure.find(ada.email, tenant: 7, in: $0) }
      try await app.database.write { tx in
        try tx.execute("UPDATE finaptic_autodeposit SET sealed_alias = \(Data([7])) WHERE id = \(broken)")
        try InteracRights.forget(subject, parts.core, in: tx)
      }
      #expect(try await owed().contains([broken, "registration 7 1"]))
    }
  }

  @Test("without a connector real customers register and take nothing, and learn why")
  func production() async throws {
    try await AccountTestApp.run { app in
      let parts = app.dependencies
      let tenant = try await parts.tenants.find(AccountTestApp.otherTenant)
      let now = app.clock.now
      let waiting = IncomingTransfer(
        number: .init(rawValue: "CA1"), tenant: tenant.id, kind: .regular, customer: nil, status: .available,
        amount: Money(25_00, "CAD"),
        content: .init(
          alias: .email("a@pay.example"), senderName: "Grace", senderMemo: nil, question: nil, salt: nil,
          remittance: nil),
        answerDigest: nil, wrongAnswers: 0, account: nil, transaction: nil, expiresAt: now + .days(1), createdAt: now,
        endedAt: nil, version: 0)
      try await app.database.write { try IncomingTransferStore($0, vault: app.vault).insert(waiting) }
      let unreached: String? = "FAILED_PRECONDITION/FAILED_PRECONDITION"
      func codes() async throws -> [String?] {
        let (new, account) = (parts.registrations.new(), parts.core.world.randomUUID())
        let taken = await #expect(throws: Problem.self) {
          try await app.database.write { tx in
            _ = try parts.incomingTransfers.complete(
              .init(interacPaymentNumber: "CA1", targetAccountId: account), for: "c", of: tenant, by: "test", in: tx)
          }
        }
        let refused = await #expect(throws: Problem.self) {
          try await app.database.write { tx in
            _ = try parts.registrations.create(
              .init(registration: .init(accountId: "x", aliasEmail: "a@pay.example")), new, for: "c", of: tenant,
              by: "test", in: tx)
          }
        }
        return [refused?.code, taken?.code]
      }
      #expect(try await codes() == [unreached, unreached])
      await #expect(throws: Problem.self) {
        try await parts.interacSettings.setConnector("http://a.example", token: "t", of: tenant.id, by: "test")
      }
      let unknown = await #expect(throws: Problem.self) {
        try await parts.interacSettings.setConnector(Self.url, token: "t", of: 999, by: "test")
      }
      #expect(unknown?.resource == .tenant)
      try await parts.interacSettings.setConnector(Self.url, token: "t", of: tenant.id, by: "test")
      #expect(try await !codes().contains(unreached))
      try await parts.interacSettings.setConnector(nil, token: "", of: tenant.id, by: "test")
      #expect(try await codes() == [unreached, unreached])
    }
  }
}
