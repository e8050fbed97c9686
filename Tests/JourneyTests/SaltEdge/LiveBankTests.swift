// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeAuthenticator
import TestSupport
import Testing

@Suite("Journey: the Authenticator's SDK and the served program, two processes", .onOneEngine, .serialized)
struct LiveBankTests {
  private static let isBuilt: any SuiteTrait & TestTrait = .enabled(
    if: ServedProcess.program != nil, "no gatehouse was built")

  @Test(
    "connect, confirm and deny, with the service killed and started again between any two of them", isBuilt,
    .timeLimit(.minutes(5)), arguments: [1, 2])
  func decisions(version: Int) async throws {
    let bank = try await LiveBank(version: version)
    defer { bank.kill() }
    var phone = try await bank.opened()
    let connection = try await bank.connect(phone)
    #expect(connection.status == .active && connection.apiVersion == version && connection.name == "Live Bank")
    #expect(try await bank.phones() == 1)

    let paid = try await bank.open("order-1", amount: "12.50")
    try bank.restart()
    // The app is started anew, too.
    phone = try await bank.opened()
    let asked = try await bank.waiting(phone)
    #expect(asked.title == "Pay 12.50 EUR")
    let decided = try await phone.confirm(asked, by: try await bank.presence(phone))
    #expect(decided.state == (version == 1 ? .confirmed : .processing) || decided.state == .confirmed)
    // What was answered was written: nothing is lost, whatever the service had still to do.
    try bank.restart()
    #expect(try await bank.ended(paid) == "confirmed")
    let evidence = try await bank.bank("authorizations/\(paid)/evidence")
    #expect(try evidence.text("shown").contains("12.50") && evidence["authorization.authorization_type"] != nil)
    #expect(
      try await bank.look { () async throws -> Bool? in
        do { return try await phone.authorization(asked.id).state.isFinal ? true : nil } catch {
          // v1 does not know what is over.
          let refusal = error as? AuthenticatorError
          guard version == 1, refusal?.errorClass.rawValue == "AuthorizationNotFound" else { throw error }
          return true
        }
      })

    let refused = try await bank.open("order-2", amount: "9999.00")
    let suspicious = try await bank.waiting(phone)
    #expect(suspicious.title == "Pay 9999.00 EUR")
    _ = try await phone.deny(suspicious)
    try bank.restart()
    #expect(try await bank.ended(refused) == "denied")
    // A second decision is refused.
    let error = await Self.thrown { try await phone.confirm(suspicious, by: try await bank.presence(phone)) }
    #expect(error?.errorClass == .authorizationOver || error?.errorClass.rawValue == "AuthorizationNotFound")
  }

  @Test(
    "a service that is down is said to be, and what was not decided in time expires while it is", isBuilt,
    .timeLimit(.minutes(5)), arguments: [1, 2])
  func expiry(version: Int) async throws {
    let bank = try await LiveBank(version: version)
    defer { bank.kill() }
    let phone = try await bank.opened()
    let connection = try await bank.connect(phone)
    let order = try await bank.open("order-1", amount: "5.00")
    let asked = try await bank.waiting(phone)
    bank.kill()
    let snapshot = try await phone.authorizations()
    #expect(snapshot.failures[connection.guid]?.errorClass == .hostUnreachable)
    #expect(snapshot.authorizations.map(\.id) == [asked.id])
    let error = await Self.thrown { try await phone.confirm(asked, by: try await bank.presence(phone)) }
    #expect(error?.errorClass == .hostUnreachable)
    try bank.restart(later: 400)
    #expect(try await bank.ended(order) == "expired")
    let late = await Self.thrown { try await phone.confirm(asked, by: try await bank.presence(phone)) }
    #expect(late != nil)
    #expect(try await phone.authorizations().authorizations.allSatisfy { $0.state != .pending })
    #expect(try await phone.connections().map(\.status) == [.active])
  }

  @Test(
    "consents are seen and taken back, and so are connections, from either side", isBuilt, .timeLimit(.minutes(5)),
    arguments: [1, 2])
  func revocations(version: Int) async throws {
    let bank = try await LiveBank(version: version)
    defer { bank.kill() }
    let phone = try await bank.opened()
    let connection = try await bank.connect(phone)
    let nextYear = Date(timeIntervalSince1970: ClientClock.live.wallTime() + 365 * 86_400).ISO8601Format()
    try await bank.bank(
      "consents",
      [
        "reference": "consent-1", "user_id": "customer-1", "consent_type": "aisp", "tpp_name": "Budget App",
        "accounts": [["name": "Current account", "iban": "ZZ83DEMO00000001000"]],
        "shared_data": ["balance": true, "transactions": false], "expires_at": "\(nextYear)",
      ], status: 201)
    try bank.restart()
    let consent = try #require(try await phone.consents(of: connection.guid).first)
    #expect(consent.thirdParty == "Budget App" && consent.shared?.balance == true)
    #expect(try await phone.revoke(consent))
    try bank.restart()
    #expect(try await phone.consents(of: connection.guid).isEmpty)
    #expect(try await bank.bank("consents/consent-1").text("state") == "revoked")

    #expect(try await phone.remove(connection.guid))
    try bank.restart()
    #expect(try await bank.phones() == 0)
    let other = try await bank.connect(phone)
    #expect(try await bank.phones() == 1)
    try await bank.bank("connections/\(other.id)/revoke", [:])
    try bank.restart(later: 100)
    _ = try await phone.authorizations()
    #expect(try await phone.connections().map(\.status) == [.inactive])
    #expect(try await bank.phones() == 0)
  }

  @Test(
    "a bank with a server gets the very bytes that the device signed, also when both were down in between", isBuilt,
    .timeLimit(.minutes(5)))
  func connector() async throws {
    let folder = try TestFolder()
    let program = LiveProgram(data: folder.file("data"))
    let connector = try LiveConnector(service: program.transport)
    try await connector.run { port in
      let bank = try await LiveBank(connector, program, port: port, in: folder)
      defer { bank.kill() }
      var phone = try await bank.opened()
      let connection = try await bank.connect(phone)
      #expect(connection.status == .active && connector.connections == [connection.id])

      try await connector.open("action-1", title: "Pay 12.50 EUR")
      try bank.restart()
      phone = try await bank.opened()
      let asked = try await bank.waiting(phone)
      #expect(asked.title == "Pay 12.50 EUR")
      // The bank hears it and cannot answer; the service is killed before it has tried again.
      connector.go(down: true)
      #expect(try await phone.confirm(asked, by: try await bank.presence(phone)).state == .processing)
      try await bank.look { connector.heard.isEmpty ? nil : true }
      bank.kill()
      connector.go(down: false)
      try bank.start()
      try await bank.look { try await phone.authorization(asked.id).state == .confirmed ? true : nil }
      #expect(connector.heard.count >= 2 && Set(connector.heard.map(\.path)) == ["action-1/confirm"])
      #expect(Set(connector.heard.map(\.decision.originalRequest)).count == 1)
      #expect(Set(connector.heard.map(\.decision.originalSignature)).count == 1)

      try await connector.open("action-2", title: "Pay 9999.00 EUR")
      _ = try await phone.deny(try await bank.waiting(phone))
      try bank.restart()
      try await bank.look { connector.heard.last?.path == "action-2/deny" ? true : nil }
      #expect(try await phone.remove(connection.guid))
      try bank.restart()
      try await bank.look { connector.revoked == [connection.id] ? true : nil }
    }
  }

  private static func thrown(_ act: () async throws -> some Sendable) async -> AuthenticatorError? {
    do {
      _ = try await act()
      return nil
    } catch { return error as? AuthenticatorError }
  }
}
