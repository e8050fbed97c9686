// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: one network cannot spend what others need")
struct NetworkLimitTests {
  private func ask(_ app: AccountTestApp, from address: String?, key: String? = nil) async throws
    -> AccountTestApp.Answer
  {
    var headers = ["X-Client-Key": key ?? app.key]
    if let address { headers["X-Forwarded-For"] = address }
    return try await app.call(.get, "\(FinapticDialect.base)/configuration", headers: headers)
  }

  private func signIn(
    _ app: AccountTestApp, _ password: String, as email: String = AccountTestApp.email, from address: String
  ) async throws -> AccountTestApp.Answer {
    let body = FinapticAPI.SignInRequest(credential: .init(email: email, password: password))
    return try await app.call(
      .post, FinapticMethod.signIn.path, try WireJSON.encode(body),
      headers: ["X-Client-Key": app.key, "X-Forwarded-For": address])
  }

  @Test("calls with one key: a network is refused long before the tenant's other customers are")
  func calls() async throws {
    try await AccountTestApp.run { app async throws in
      let policy = app.service.dependencies.policy
      for _ in 1...policy.callsPerNetwork.count {
        try app.service.limits.rates.spend(policy.callsPerNetwork, by: "\(app.key) 192.0.2.0/24")
      }
      for _ in 1...20 { #expect(try await ask(app, from: "192.0.2.7").code == "RESOURCE_EXHAUSTED") }
      #expect(try await ask(app, from: "192.0.3.7").status == 200)
      #expect(try await ask(app, from: "192.0.2.7", key: app.otherKey).status == 200)
      // What was refused cost the tenant nothing.
      #expect(
        !app.service.limits.rates.isSpent(RateLimit(policy.callsPerKey.name, 2, per: .minutes(1)), by: app.key))
      app.clock.advance(by: .minutes(1))
      #expect(try await ask(app, from: "192.0.2.200").status == 200)
    }
  }

  @Test("invalid keys are counted by network: another address of it does not help")
  func refusals() async throws {
    try await AccountTestApp.run { app async throws in
      for number in 1...app.service.dependencies.policy.refusals.count {
        let answer = try await ask(app, from: "2001:db8:0:1::\(String(number % 200, radix: 16))", key: "none")
        #expect(answer.code == "UNAUTHENTICATED")
      }
      #expect(try await ask(app, from: "2001:db8:0:1:ff::1", key: "none").code == "RESOURCE_EXHAUSTED")
      #expect(try await ask(app, from: "2001:db8:0:2::1", key: "none").code == "UNAUTHENTICATED")
    }
  }

  @Test("one password tried with many users: a network has sixty wrong ones a minute, right ones are free")
  func passwords() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await app.signUp().status == 200)
      let limit = app.service.dependencies.policy.wrongPerNetwork
      for number in 1..<limit.count {
        let answer = try await signIn(
          app, "Wrong7Password", as: "user\(number)@mail.ca", from: "192.0.2.\(number)")
        #expect(answer.code == "SIGNIN_INVALID_PASSWORD")
      }
      for _ in 1...3 { #expect(try await signIn(app, AccountTestApp.password, from: "192.0.2.1").status == 200) }
      _ = try await signIn(app, "Wrong7Password", as: "last@mail.ca", from: "192.0.2.1")
      #expect(try await signIn(app, AccountTestApp.password, from: "192.0.2.9").code == "RESOURCE_EXHAUSTED")
      #expect(try await signIn(app, AccountTestApp.password, from: "192.0.3.9").status == 200)
      app.clock.advance(by: .minutes(1))
      #expect(try await signIn(app, AccountTestApp.password, from: "192.0.2.9").status == 200)
    }
  }
}
