import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: one network cannot spend what others need")
struct NetworkLimitTests {
  private func ask(_ house: AccountHouse, from address: String?, key: String? = nil) async throws -> AccountHouse.Answer
  {
    var headers = ["X-Client-Key": key ?? house.key]
    if let address { headers["X-Forwarded-For"] = address }
    return try await house.call(.get, "\(FinapticDialect.base)/configuration", headers: headers)
  }

  private func signIn(
    _ house: AccountHouse, _ password: String, as email: String = AccountHouse.email, from address: String
  ) async throws -> AccountHouse.Answer {
    let body = FinapticAPI.SignInRequest(credential: .init(email: email, password: password))
    return try await house.call(
      .post, FinapticMethod.signIn.path, try WireJSON.encode(body),
      headers: ["X-Client-Key": house.key, "X-Forwarded-For": address])
  }

  @Test("calls with one key: a network is refused long before the tenant's other customers are")
  func calls() async throws {
    try await AccountHouse.run { house async throws in
      let policy = house.room.parts.policy
      for _ in 1...policy.callsPerNetwork.count {
        try house.room.rates.spend(policy.callsPerNetwork, by: "\(house.key) 192.0.2.0/24")
      }
      for _ in 1...20 { #expect(try await ask(house, from: "192.0.2.7").code == "RESOURCE_EXHAUSTED") }
      #expect(try await ask(house, from: "192.0.3.7").status == 200)
      #expect(try await ask(house, from: "192.0.2.7", key: house.otherKey).status == 200)
      // What was refused cost the tenant nothing.
      #expect(!house.room.rates.isSpent(RateLimit(policy.callsPerKey.name, 2, per: .minutes(1)), by: house.key))
      house.clock.advance(by: .minutes(1))
      #expect(try await ask(house, from: "192.0.2.200").status == 200)
    }
  }

  @Test("keys that are none are counted by network: another address of it does not help")
  func refusals() async throws {
    try await AccountHouse.run { house async throws in
      for number in 1...house.room.parts.policy.refusals.count {
        let answer = try await ask(house, from: "2001:db8:0:\(String(number % 200, radix: 16))::1", key: "none")
        #expect(answer.code == "UNAUTHENTICATED")
      }
      #expect(try await ask(house, from: "2001:db8:0:ff::1", key: "none").code == "RESOURCE_EXHAUSTED")
      #expect(try await ask(house, from: "2001:db8:0:1ff::1", key: "none").code == "UNAUTHENTICATED")
    }
  }

  @Test("one password tried with many users: a network has sixty wrong ones a minute, right ones are free")
  func passwords() async throws {
    try await AccountHouse.run { house async throws in
      #expect(try await house.signUp().status == 200)
      let limit = house.room.parts.policy.wrongPerNetwork
      for number in 1..<limit.count {
        let answer = try await signIn(house, "Wrong7Password", as: "user\(number)@mail.ca", from: "192.0.2.\(number)")
        #expect(answer.code == "SIGNIN_INVALID_PASSWORD")
      }
      for _ in 1...3 { #expect(try await signIn(house, AccountHouse.password, from: "192.0.2.1").status == 200) }
      _ = try await signIn(house, "Wrong7Password", as: "last@mail.ca", from: "192.0.2.1")
      #expect(try await signIn(house, AccountHouse.password, from: "192.0.2.9").code == "RESOURCE_EXHAUSTED")
      #expect(try await signIn(house, AccountHouse.password, from: "192.0.3.9").status == 200)
      house.clock.advance(by: .minutes(1))
      #expect(try await signIn(house, AccountHouse.password, from: "192.0.2.9").status == 200)
    }
  }
}
