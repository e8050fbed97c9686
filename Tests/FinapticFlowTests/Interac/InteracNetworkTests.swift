// SPDX-License-Identifier: Apache-2.0
import Delivery
import FinapticWire
import Foundation
import Identity
import Kit
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
      let (ada, parts) = (try await app.customer("ada@finaptic.com"), app.dependencies)
      func basic(_ issued: IssuedSecret) -> [String: String] {
        ["Authorization": "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()]
      }
      let hub = basic(try await app.app.addFinapticInteracClient("hub", tenant: AccountTestApp.tenant, by: "operator"))
      func send(_ body: Data, to path: String = "transfers") async throws -> AccountTestApp.Answer {
        try await app.call(.post, "\(InteracNetworkRoutes.path)/\(path)", body, headers: hub)
      }
      func sent(_ body: Data, to path: String = "transfers") async throws -> SimulationBodies.Sent {
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
        ["alias_email": ""], ["sender_name": " "], ["security_question": "Colour?"], ["answer_hash": "00"],
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

      let made: FinapticAPI.RegistrationResponse = try await app.call(
        .createRegistration,
        FinapticAPI.CreateRegistrationRequest(
          registration: .init(accountId: ada.account, aliasEmail: "ada@pay.example")), as: ada
      ).view()
      let (id, simulation) = (try #require(made.registration.registrationId), try await app.simulation())
      _ = try await app.database.write { try simulation.confirm(.init(registrationId: id), in: $0) }
      let direct = try await sent(Self.body("m-3", "CA3"))
      #expect(direct.transferType == "INTERAC_AUTODEPOSIT" && direct.accountId == ada.account)
      #expect(try await app.balance(ada.account) == 50_00)

      let hash = try #require(SecurityAnswer.hash(of: "Blue", salt: "s4"))
      let asked = try await sent(
        Self.body(
          "m-4", "CA4",
          [
            "alias_email": "", "alias_phone_number": "+1-613-555-0143", "security_question": "Colour?",
            "hash_salt": "s4", "answer_hash": hash,
          ]))
      #expect(asked.transferStatus == "AVAILABLE")
      let right = try await app.call(
        .authenticateIncomingTransfer,
        FinapticAPI.AuthenticateIncomingTransferRequest(interacPaymentNumber: "CA4", securityAnswer: hash), as: ada)
      #expect(try right.view(FinapticAPI.AuthenticateIncomingTransferResponse.self).success)
      let back = try JSONSerialization.data(withJSONObject: ["message_id": "m-5", "interac_payment_number": "CA4"])
      #expect(try await sent(back, to: "recalls").transferStatus == "CANCELED")

      let other = basic(try await app.app.addFinapticBankClient("core", tenant: AccountTestApp.tenant, by: "operator"))
      let body = try Self.body("m-6", "CA6")
      #expect(try await app.call(.post, "\(InteracNetworkRoutes.path)/transfers", body, headers: other).status == 403)

      // What the network has to know of is owed, and told as it stands.
      let owed = try await app.database.read { tx in
        try tx.query("SELECT subject, payload FROM outbox WHERE topic = \(InteracTelling.topic) ORDER BY payload")
          .map { (try $0.get("subject", as: String.self), try $0.get("payload", as: String.self)) }
      }
      #expect(owed.map(\.0) == [id, "CA1"] && owed.map(\.1) == ["registration 7", "transfer 7"])
      let connector = Connector()
      let telling = InteracTelling(
        core: parts.core, network: .http(connector.peer, database: app.database, vault: app.vault))
      func tell() async throws {
        for (subject, payload) in owed {
          try await telling.deliver(
            OutboxItem(
              id: .init(rawValue: "1"), topic: InteracTelling.topic, subject: subject, payload: payload, attempts: 0,
              enqueuedAt: parts.core.world.now(), origin: nil))
        }
      }
      for status in [503, 422] {
        connector.status.withLock { $0 = status }
        await #expect(throws: (any Error).self) { try await tell() }
      }
      connector.status.withLock { $0 = 204 }
      connector.calls.withLock { $0 = [] }
      try await tell()
      let calls = connector.calls.withLock(\.self)
      #expect(
        calls.map { "\($0.method) \($0.url)" }
          == ["PUT \(Self.url)/registrations/\(id)", "PUT \(Self.url)/transfers/CA1"])
      #expect(calls.allSatisfy { $0.headers["Authorization"] == "Bearer secret-token" })
      let told = calls.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(told[0].contains(#""alias_email":"ada@pay.example""#) && told[0].contains(ada.account))
      #expect(told[1].contains(#""status":"ACCEPTED""#))
      let ended = FinapticAPI.DeleteRegistrationRequest(registrationId: id)
      #expect(try await app.call(.deleteRegistration, ended, as: ada).status == 200)
      connector.status.withLock { $0 = 404 }
      connector.calls.withLock { $0 = [] }
      await #expect(throws: InteracNetwork.Unavailable.self) { try await tell() }
      #expect(connector.calls.withLock { $0.first?.method } == "DELETE")
    }
  }

  @Test("without a connector real customers register nothing, and are told so")
  func production() async throws {
    try await AccountTestApp.run { app in
      let parts = app.dependencies
      let tenant = try await parts.tenants.find(AccountTestApp.otherTenant)
      func code() async throws -> String? {
        let new = parts.registrations.new()
        let refused = await #expect(throws: Problem.self) {
          try await app.database.write { tx in
            _ = try parts.registrations.create(
              .init(registration: .init(accountId: "x", aliasEmail: "a@pay.example")), new, for: "c", of: tenant,
              by: "test", in: tx)
          }
        }
        return refused?.code
      }
      #expect(try await code() == "FAILED_PRECONDITION/FAILED_PRECONDITION")
      await #expect(throws: Problem.self) {
        try await parts.interacSettings.setConnector("http://a.example", token: "t", of: tenant.id, by: "test")
      }
      try await parts.interacSettings.setConnector(Self.url, token: "t", of: tenant.id, by: "test")
      #expect(try await code() != "FAILED_PRECONDITION/FAILED_PRECONDITION")
      try await parts.interacSettings.setConnector(nil, token: "", of: tenant.id, by: "test")
      #expect(try await code() == "FAILED_PRECONDITION/FAILED_PRECONDITION")
    }
  }
}
