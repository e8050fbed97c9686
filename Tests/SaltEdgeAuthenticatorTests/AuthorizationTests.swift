// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import SaltEdgeCore
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: authorizations", .timeLimit(.minutes(5)))
struct AuthorizationTests {
  private func ready(_ phone: Phone) async throws -> (Authenticator, v1: Connection, v2: Connection) {
    let authenticator = try await phone.ready { $0.policy.idleMax = .seconds(6000) }
    return (
      authenticator, try await authenticator.connect(FakeService.v1Link),
      try await authenticator.connect(FakeService.v2Link)
    )
  }

  @Test(
    "authorizations of v1 and v2 stand in one list, the oldest first; what cannot be read or has expired is left out")
  func list() async throws {
    let phone = Phone()
    let (authenticator, v1, v2) = try await ready(phone)
    let early = WireInstant(millisecondsSince1970: phone.now.millisecondsSince1970 - 10_000)
    phone.service.put(FakeService.v1Entry("444", created: phone.now))
    phone.service.put(FakeService.v2Entry("100", created: early))
    phone.service.put(FakeService.v1Entry("445", created: early, seconds: 10))
    phone.service.put(.init(id: "446", version: 1, json: #"{"id":"446"}"#))
    phone.service.put(.init(id: "101", version: 2, json: "not json"))
    let snapshot = try await authenticator.authorizations()
    #expect(
      snapshot.authorizations.map(\.id) == [
        .init(connection: v2.guid, id: "100"), .init(connection: v1.guid, id: "444"),
      ])
    #expect(snapshot.failures.isEmpty && snapshot.authorizations.allSatisfy { $0.state == .pending })
    let first = snapshot.authorizations[0]
    #expect(first.title == "Title 100" && first.content.text == "Pay 5 EUR")
    #expect(first.secondsLeft(at: phone.now) == 290 && first.lifetimeSeconds == 300)
    #expect("\(first)" == "Authorization(redacted)")
  }

  @Test("a service that does not answer delays no other service's list, and keeps its own")
  func failure() async throws {
    let phone = Phone()
    let (authenticator, v1, _) = try await ready(phone)
    phone.service.put(FakeService.v1Entry("444", created: phone.now))
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    _ = try await authenticator.authorizations()
    phone.service.instead("GET \(FakeService.v1Base)", .failure(TransportError(.timedOut)))
    phone.service.put(FakeService.v2Entry("101", created: phone.now))
    let snapshot = try await authenticator.authorizations()
    #expect(Set(snapshot.authorizations.map(\.id.id)) == ["444", "100", "101"])
    #expect(snapshot.failures.mapValues(\.errorClass) == [v1.guid: .hostUnreachable])
  }

  @Test("a confirmation of v1 gives the code back with how the user was proved, and counts at once")
  func confirmV1() async throws {
    let phone = Phone()
    phone.service.ask(geolocation: "false", version: 1)
    phone.stand(at: Geolocation(latitude: 52.506931, longitude: -13.1))
    let (authenticator, _, _) = try await ready(phone)
    phone.service.put(FakeService.v1Entry("444", created: phone.now))
    let shown = try #require(try await authenticator.authorizations().authorizations.first)
    let confirmed = try await authenticator.confirm(shown, by: authenticator.present())
    #expect(confirmed.state == .confirmed)
    let request = try #require(phone.service.heard.last)
    #expect(request.body == Data(#"{"data":{"authorization_code":"code-1","confirm":true}}"#.utf8))
    #expect(request.headers["authorization-type"] == "passcode")
    #expect(request.headers["geo-location"] == "GEO:52.506931;-13.100000")
    // It stays for four seconds, then it is gone, though its service does not list it any more.
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.confirmed])
    phone.advance(.milliseconds(3000))
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.confirmed])
    phone.advance(.seconds(1))
    #expect(try await authenticator.authorizations().authorizations.isEmpty)
  }

  @Test("a code that is not the bank's ends in an error, and the authorization comes back to be decided")
  func wrongCode() async throws {
    let phone = Phone()
    let (authenticator, _, _) = try await ready(phone)
    var entry = FakeService.v1Entry("444", created: phone.now)
    entry.code = "another"
    phone.service.put(entry)
    let shown = try #require(try await authenticator.authorizations().authorizations.first)
    #expect(try await authenticator.confirm(shown, by: authenticator.present()).state == .error)
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.error])
    phone.advance(.seconds(4))
    _ = try await authenticator.authorizations()
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.pending])
  }

  @Test("a confirmation of v2 is for the bank alone to read, goes on until the bank has answered, and then ends")
  func confirmV2() async throws {
    let phone = Phone()
    phone.service.ask(geolocation: "true", version: 2)
    phone.stand(at: Geolocation(latitude: 52.506931, longitude: 13.144558))
    let (authenticator, _, _) = try await ready(phone)
    try await authenticator.useBiometrics(true)
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    let shown = try #require(try await authenticator.authorizations().authorizations.first)
    guard case .passed(let proof) = try await authenticator.unlock(with: .biometrics) else {
      Issue.record("biometrics did not open")
      return
    }
    #expect(try await authenticator.confirm(shown, by: proof).state == .processing)
    #expect(
      phone.service.confirmations
        == [.init(code: "code-1", userAuthorizationType: "biometrics", geolocation: "GEO:52.506931;13.144558")])
    let body = String(decoding: phone.service.heard.last?.body ?? Data(), as: UTF8.self)
    #expect(!body.contains("code-1") && !body.contains("GEO"))
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.processing])
    phone.service.set("100", 2, "confirmed")
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.confirmed])
    // The service lists it for a minute; here it is gone after four seconds.
    phone.advance(.seconds(4))
    #expect(try await authenticator.authorizations().authorizations.isEmpty)
    #expect(try await authenticator.authorizations().authorizations.isEmpty)
  }

  @Test("denying needs no proof, and says by what the app was opened")
  func deny() async throws {
    let phone = Phone()
    let (authenticator, _, _) = try await ready(phone)
    phone.service.put(FakeService.v1Entry("444", created: phone.now))
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    for shown in try await authenticator.authorizations().authorizations {
      #expect([.denied, .processing].contains(try await authenticator.deny(shown).state))
    }
    #expect(phone.service.confirmations.map { [$0.code, $0.userAuthorizationType] } == [[nil, "passcode"]])
    phone.service.set("100", 2, "denied")
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.denied, .denied])
  }

  @Test("what is being decided, is decided or has expired is not decided again")
  func over() async throws {
    let phone = Phone()
    let (authenticator, _, _) = try await ready(phone)
    phone.service.put(FakeService.v1Entry("444", created: phone.now, seconds: 10))
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    let shown = try await authenticator.authorizations().authorizations
    let (v2, v1) = try (#require(shown.first { $0.id.id == "100" }), #require(shown.first { $0.id.id == "444" }))
    try await authenticator.deny(v2)
    phone.advance(.seconds(10))
    for authorization in [v1, v2] {
      let error = await thrown {
        try await authenticator.deny(authorization)
      }
      #expect(error == AuthenticatorError(.outOfOrder, .authorizationOver))
    }
    #expect(phone.service.confirmations.count == 1)
    #expect(try await authenticator.authorizations().authorizations.first { $0.id == v1.id }?.state == .timeOut)
    phone.advance(.seconds(4))
    #expect(try await authenticator.authorizations().authorizations.map(\.id) == [v2.id])
  }

  @Test("of two decisions at once one is made")
  func race() async throws {
    let phone = Phone()
    let (authenticator, _, _) = try await ready(phone)
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    let shown = try #require(try await authenticator.authorizations().authorizations.first)
    let made = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { (try? await authenticator.deny(shown)) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1 && phone.service.confirmations.count == 1)
  }

  @Test("a decision whose answer got lost is neither made nor undone here: the next poll tells")
  func lost() async throws {
    let phone = Phone()
    let (authenticator, _, _) = try await ready(phone)
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    let shown = try #require(try await authenticator.authorizations().authorizations.first)
    phone.service.instead("PUT", .failure(TransportError(.connectionLost)))
    let error = await thrown {
      try await authenticator.deny(shown)
    }
    #expect(error?.isTransient == true)
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.pending])
    phone.service.refuse("PUT", 404, "AuthorizationNotFound")
    _ = await thrown {
      try await authenticator.deny(shown)
    }
    #expect(try await authenticator.authorizations().authorizations.map(\.state) == [.unavailable])
  }

  @Test("where the bank must know the place, nothing is decided without one; where it has no use for it none is sent")
  func place() async throws {
    for (asked, place, isSent) in [("true", nil, false), ("null", Geolocation(latitude: 1, longitude: 2), true)] {
      let phone = Phone()
      phone.service.ask(geolocation: asked, version: 1)
      phone.stand(at: place)
      let (authenticator, v1, _) = try await ready(phone)
      #expect(v1.requiresGeolocation == (asked == "true" ? true : nil))
      phone.service.put(FakeService.v1Entry("444", created: phone.now))
      let shown = try #require(try await authenticator.authorizations().authorizations.first)
      phone.service.forget()
      let error = await thrown {
        try await authenticator.deny(shown)
      }
      #expect((error == nil) == isSent && phone.service.heard.count == (isSent ? 1 : 0))
      #expect(error == nil || error?.errorClass == .geolocationMissing)
      #expect(phone.service.heard.first?.headers["geo-location"] == nil)
    }
  }

  @Test(
    "a place is written as degrees, whatever it is",
    arguments: [
      (52.506931, 13.144558, "GEO:52.506931;13.144558"), (0, -0.0000001, "GEO:0.000000;0.000000"),
      (-0.5, 180, "GEO:-0.500000;180.000000"), (1e-5, -179.9999999, "GEO:0.000010;-180.000000"),
    ])
  func geolocation(latitude: Double, longitude: Double, text: String) {
    #expect(Geolocation(latitude: latitude, longitude: longitude)?.text == text)
    #expect(Geolocation(latitude: 90.1, longitude: 0) == nil && Geolocation(latitude: .nan, longitude: 0) == nil)
  }

  @Test("the list is asked for at once and every three seconds, and ends with its task")
  func polling() async throws {
    let phone = Phone()
    let (authenticator, _, _) = try await ready(phone)
    var counts: [Int] = []
    for try await snapshot in authenticator.authorizationUpdates {
      counts.append(snapshot.authorizations.count)
      if counts.count == 1 { #expect(phone.pauses.isEmpty) }
      phone.service.put(FakeService.v2Entry("\(100 + counts.count)", created: phone.now))
      if counts.count == 3 { break }
    }
    #expect(counts == [0, 1, 2] && phone.pauses == [.seconds(3), .seconds(3)])
    let ended = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var snapshots = 0
      for try await _ in authenticator.authorizationUpdates { snapshots += 1 }
      return snapshots
    }
    #expect(try await ended.value == 0)
    await authenticator.lock()
    await #expect(throws: AuthenticatorError(.outOfOrder, .appLocked)) {
      for try await _ in authenticator.authorizationUpdates {}
    }
  }

  @Test("one authorization is followed to its end, through a failure that passes")
  func progress() async throws {
    let phone = Phone()
    let (authenticator, _, v2) = try await ready(phone)
    phone.service.put(FakeService.v2Entry("100", created: phone.now))
    var states: [AuthorizationState] = []
    for try await authorization in authenticator.updates(of: .init(connection: v2.guid, id: "100")) {
      states.append(authorization.state)
      switch states.count {
      case 1: try await authenticator.deny(authorization)
      case 2: phone.service.instead("GET", .failure(TransportError(.timedOut)))
      default: break
      }
      if states.count == 2 { phone.service.set("100", 2, "denied") }
    }
    #expect(states == [.pending, .processing, .denied])
    #expect(phone.pauses == [.seconds(3), .seconds(3), .seconds(3)])
  }

  @Test("what is decided elsewhere, withdrawn or run out while it is shown ends as what it is")
  func ends() async throws {
    for (version, end, state) in [
      (1, "gone", AuthorizationState.unavailable), (2, "closed", .unavailable), (1, "late", .timeOut),
      (2, "time_out", .timeOut),
    ] {
      let phone = Phone()
      let (authenticator, v1, v2) = try await ready(phone)
      phone.service.put(
        version == 1 ? FakeService.v1Entry("5", created: phone.now) : FakeService.v2Entry("5", created: phone.now))
      var states: [AuthorizationState] = []
      for try await authorization in authenticator.updates(
        of: .init(connection: (version == 1 ? v1 : v2).guid, id: "5"))
      {
        states.append(authorization.state)
        if end == "late" { phone.advance(.seconds(300)) }
        if version == 1 { phone.service.take("5") } else { phone.service.set("5", 2, end) }
      }
      #expect(states == [.pending, state], "v\(version) \(end)")
    }
  }

  @Test("what was never there, and a service that stays away, are told")
  func neverThere() async throws {
    let phone = Phone()
    let (authenticator, v1, _) = try await ready(phone)
    let id = Authorization.ID(connection: v1.guid, id: "9")
    await #expect(throws: AuthenticatorError(.refused(status: 404), .authorizationNotFound, message: "m")) {
      for try await _ in authenticator.updates(of: id) {}
    }
    for _ in 0..<20 { phone.service.instead("GET", .failure(TransportError(.offline))) }
    phone.service.forget()
    await #expect(throws: AuthenticatorError(TransportError(.offline))) {
      for try await _ in authenticator.updates(of: id) {}
    }
    #expect(phone.service.heard.count == 20)
  }
}
