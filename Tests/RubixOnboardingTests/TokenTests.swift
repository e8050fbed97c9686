// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RubixOnboarding

@Suite("Onboarding client: tokens and their refresh")
struct TokenTests {
  @Test("fifty calls that find the token expired cause one refresh, and each is repeated once")
  func singleFlight() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .json(Sample.view()))
    await device.bank.expireTokens()
    await device.bank.holdRefreshes(until: 50)
    let app = device.app()
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 { group.addTask { try await app.me() } }
      try await group.waitForAll()
    }
    #expect(await device.bank.count("POST auth/refresh-token") == 1)
    #expect(await device.bank.count("GET auth/me") == 100)
    #expect(try await device.store.load()?.refreshToken == "R2")
  }

  @Test("a caller that is cancelled does not break off the refresh that others wait for")
  func cancelledCaller() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .json(Sample.view()))
    await device.bank.expireTokens()
    await device.bank.holdRefreshes(until: 2)
    let app = device.app()
    let impatient = Task { try await app.me() }
    impatient.cancel()
    _ = try await app.me()
    _ = await impatient.result
    #expect(await device.bank.count("POST auth/refresh-token") == 1)
    #expect(try await device.store.load()?.accessToken == "A2")
  }

  @Test("after a refresh the call is repeated with the same idempotency key, and with the new token")
  func sameKey() async throws {
    let device = try await Device.registered()
    await device.bank.expireTokens()
    await device.bank.on(
      "POST otp/sms/send", .failure(TransportError(.connectionLost)), .problem(503, "unavailable"), .json(Sample.sent))
    _ = try await device.app().sendOTP(.sms)
    let calls = await device.bank.requests.filter { $0.call == "POST otp/sms/send" }
    #expect(calls.map { $0.headers["x-access-token"] } == ["A1", "A2", "A2", "A2"])
    #expect(Set(calls.map { $0.headers["idempotency-key"] }).count == 1)
    #expect(Set(calls.map { $0.headers["x-correlation-id"] }).count == 1)
    #expect(Set(calls.map(\.body)).count == 1)
  }

  @Test("a token that is expired again after the refresh is not refreshed again")
  func expiredTwice() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .problem(401, "token-expired"))
    do {
      _ = try await device.app().me()
      Issue.record("an expired token was accepted")
    } catch {
      guard case .problem(let problem) = error else { throw error }
      #expect(problem.code == .tokenExpired)
    }
    #expect(await device.bank.count("GET auth/me") == 2)
    #expect(await device.bank.count("POST auth/refresh-token") == 1)
  }

  @Test(
    "any other 401 ends the session without a refresh, and the worthless tokens are forgotten",
    arguments: ["token-invalid", "token-revoked"])
  func otherRefusals(code: String) async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .problem(401, code))
    await #expect(throws: RubixError.sessionLost) { try await device.app().me() }
    #expect(await device.bank.count("POST auth/refresh-token") == 0)
    #expect(try await device.store.load() == nil)
    #expect(try await device.app().resume() == .startFresh)
  }

  @Test("a 401 that is not the server's own does not cost the customer the tokens")
  func gatewayRefusal() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .success(TransportResponse(status: 401)))
    await #expect(throws: RubixError.sessionLost) { try await device.app().me() }
    #expect(try await device.store.load() == Device.tokens)
  }

  @Test(
    "a refresh that is refused leads to a new application",
    arguments: ["refresh-invalid", "refresh-expired", "refresh-reused"])
  func refreshRefused(code: String) async throws {
    let device = try await Device.registered()
    await device.bank.expireTokens()
    await device.bank.onRefresh(.problem(401, code))
    #expect(try await device.app().resume() == .startFresh)
    #expect(try await device.store.load() == nil)
    #expect(await device.bank.count("POST auth/refresh-token") == 1)
  }

  @Test("a refresh whose answer is lost is repeated with the same token and device, in time")
  func lostAnswer() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .json(Sample.view()))
    await device.bank.expireTokens()
    await device.bank.onRefresh(.failure(TransportError(.connectionLost)))
    _ = try await device.app().me()
    let refreshes = await device.bank.requests.filter { $0.call == "POST auth/refresh-token" }
    #expect(refreshes.map { $0.headers["x-refresh-token"] } == ["R1", "R1"])
    #expect(refreshes.allSatisfy { $0.body == Data(#"{"device_id":"device-0123456789"}"#.utf8) })
    #expect(refreshes.allSatisfy { $0.headers["x-access-token"] == nil })
    #expect(try await device.store.load()?.refreshToken == "R2")
    let latestStart = TokenRefresher.deadlines.dropLast().reduce(.zero, +) + TokenRefresher.pauseMax * 2
    #expect(latestStart < .seconds(8))
  }

  @Test("a crash between the answer of the refresh and the write to the store is survived")
  func crash() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .json(Sample.view()))
    await device.bank.expireTokens()
    await #expect(throws: RubixError.tokenStore(SecureStoreError(.unavailable))) {
      try await device.app(tokenStore: FullDisk(device.store)).me()
    }
    #expect(try await device.store.load() == Device.tokens)
    _ = try await device.app().me()
    #expect(try await device.store.load()?.refreshToken == "R2")
  }

  @Test("a store that failed once is written before the next call")
  func savedLater() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .json(Sample.view()))
    await device.bank.expireTokens()
    let app = device.app(tokenStore: FullDisk(device.store, failures: 1))
    await #expect(throws: RubixError.tokenStore(SecureStoreError(.unavailable))) { try await app.me() }
    _ = try await app.me()
    #expect(try await device.store.load()?.refreshToken == "R2")
    #expect(await device.bank.count("POST auth/refresh-token") == 1)
  }

  @Test("tokens that cannot be read are an error of their own, not a lost session")
  func damagedStore() async throws {
    let device = Device.fresh()
    device.secrets.write(Data("damaged".utf8), as: "rubix-onboarding.tokens")
    await #expect(throws: RubixError.tokenStore(SecureStoreError(.tampered))) { try await device.app().resume() }
  }

  @Test("logging out ends the session there, then here; a session that is already gone is no error")
  func logout() async throws {
    for answer in [FakeBank.Outcome.success(TransportResponse(status: 204)), .problem(401, "token-revoked")] {
      let device = try await Device.registered()
      await device.bank.on("DELETE auth/logout", answer)
      try await device.app().logout()
      #expect(try await device.store.load() == nil)
    }
    let offline = try await Device.registered()
    await offline.bank.on("DELETE auth/logout", .failure(TransportError(.offline)))
    await #expect(throws: RubixError.transport(TransportError(.offline))) { try await offline.app().logout() }
    #expect(try await offline.store.load() == Device.tokens)
  }

  @Test("neither errors nor tokens show a token when printed")
  func nothingLeaks() async throws {
    #expect(!"\(Device.tokens)".contains("R1"))
    let device = try await Device.registered()
    await device.bank.on("POST otp/sms/verify", .problem(422, "otp-mismatch", #","attempts_left":3"#))
    do {
      _ = try await device.app().verifyOTP(.sms, code: "918273")
      Issue.record("a wrong code was accepted")
    } catch {
      #expect(!"\(error)".contains("918273"))
      #expect(!"\(error)".contains("A1"))
    }
  }
}

/// A token store whose writes fail a number of times.
private actor FullDisk: TokenStore {
  private let store: SecureTokenStore
  private var failures: Int

  init(_ store: SecureTokenStore, failures: Int = .max) {
    self.store = store
    self.failures = failures
  }

  func load() async throws(SecureStoreError) -> OnboardingTokens? { try await store.load() }
  func save(_ tokens: OnboardingTokens) async throws(SecureStoreError) {
    failures -= 1
    guard failures < 0 else { throw SecureStoreError(.unavailable) }
    try await store.save(tokens)
  }
  func clear() async throws(SecureStoreError) { try await store.clear() }
}
