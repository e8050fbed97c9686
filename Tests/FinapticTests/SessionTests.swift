// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Testing

@testable import Finaptic

@Suite("Finaptic: the session")
struct SessionTests {
  private let server = PlayedServer()
  private let store = MemorySecureStore()
  private let credential = Credential(email: "sample@finaptic.com", password: "Password1234!@#$")

  private func signedIn() async throws -> FinapticSDK {
    server.play(.signIn, PlayedServer.ok(PlayedServer.tokens(1)))
    let sdk = try await server.sdk(store: store)
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    return sdk
  }

  private func info(_ sdk: FinapticSDK) async throws -> AuthUserInfo {
    try await sdk.authenticationClient.getUserInfo()
  }

  private let user = FinapticAPI.UserInfo(email: "sample@finaptic.com", isEmailVerified: false)

  @Test("begins with signing in, outlives the process, and ends with signing out")
  func life() async throws {
    let sdk = try await signedIn()
    let state = AuthState(accessToken: "access-1", refreshToken: "refresh-1")
    #expect(await sdk.authenticationClient.currentAuthState() == state)
    let again = try await server.sdk(store: store)
    #expect(await again.authenticationClient.currentAuthState() == state)
    server.play(.signOut, PlayedServer.ok(EmptyBody()))
    try await again.authenticationClient.signOut()
    #expect(await again.authenticationClient.currentAuthState() == nil && store.contents.isEmpty)
    #expect(server.requests(.signOut).map(\.text) == [#"{"refresh_token":"refresh-1"}"#])
    // Idempotent: no user is signed in.
    try await again.authenticationClient.signOut()
    #expect(server.requests(.signOut).count == 1)
    #expect(try await again.authenticationClient.refreshAuthState() == nil)
  }

  @Test("ends here even when the server cannot be told")
  func signOutOffline() async throws {
    let sdk = try await signedIn()
    server.play(.signOut, PlayedServer.fail(.offline))
    let error = await failure { try await sdk.authenticationClient.signOut() }
    #expect(error?.code == .unavailable)
    #expect(await sdk.authenticationClient.currentAuthState() == nil && store.contents.isEmpty)
  }

  @Test("an expired access token is renewed first: once, for all who wait")
  func singleFlight() async throws {
    let sdk = try await signedIn()
    server.advance(seconds: 900)
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    server.play(.getUserInfo, PlayedServer.ok(user))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await info(sdk) } }
      try await group.waitForAll()
    }
    #expect(server.requests(.refreshAuthState).count == 1)
    #expect(Set(server.requests(.getUserInfo).map(\.bearer)) == ["Bearer access-2"])
  }

  @Test("a token that the server does not take is renewed, and the call repeated under the same key")
  func refusedToken() async throws {
    let sdk = try await signedIn()
    server.play(.acceptApplication, PlayedServer.refuse(.unauthenticated), PlayedServer.ok(PlayedServer.application()))
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    _ = try await sdk.onboardingClient.acceptApplication(
      request: AcceptApplicationRequest(onboardingApplicationId: "a"))
    let sent = server.requests(.acceptApplication)
    #expect(sent.map(\.bearer) == ["Bearer access-1", "Bearer access-2"])
    #expect(Set(sent.map(\.idempotencyKey)).count == 1)
  }

  @Test("a refused refresh token ends it; calls go on without a user")
  func refusedRefresh() async throws {
    let sdk = try await signedIn()
    server.play(.refreshAuthState, PlayedServer.refuse(.unauthenticated, .signinError))
    server.play(.getUserInfo, PlayedServer.refuse(.unauthenticated))
    let error = await failure { try await info(sdk) }
    #expect(error?.code == .unauthenticated && store.contents.isEmpty)
    #expect(server.requests(.getUserInfo).map(\.bearer) == ["Bearer access-1", nil])
    #expect(await sdk.authenticationClient.currentAuthState() == nil)
  }

  @Test("refreshAuthState: the new tokens, or why not")
  func refresh() async throws {
    let sdk = try await signedIn()
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    #expect(try await sdk.authenticationClient.refreshAuthState()?.accessToken == "access-2")
    server.play(.refreshAuthState, PlayedServer.fail(.offline))
    #expect(await failure { try await sdk.authenticationClient.refreshAuthState() as Any }?.code == .unavailable)
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-2")
    server.play(.refreshAuthState, PlayedServer.refuse(.unauthenticated, .signinError))
    #expect(await failure { try await sdk.authenticationClient.refreshAuthState() as Any }?.code == .signinError)
    #expect(await sdk.authenticationClient.currentAuthState() == nil)
  }

  @Test("currentAuthState: expired and no network gives the old tokens, a client key that is revoked keeps them")
  func currentOffline() async throws {
    let sdk = try await signedIn()
    server.advance(seconds: 901)
    server.play(.refreshAuthState, PlayedServer.fail(.offline))
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-1")
    server.play(.refreshAuthState, PlayedServer.refuse(.unauthenticated))
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-1")
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-2")
  }

  @Test("creating the customer brings a customer's token before it calls back")
  func newRights() async throws {
    let sdk = try await signedIn()
    server.play(
      .finalizeApplicationCreateCustomer,
      PlayedServer.ok(PlayedServer.application("Application Accepted", customerId: "c-1")))
    server.play(.finalizeApplicationCreateProduct, PlayedServer.ok(PlayedServer.application("Application Processed")))
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    let customer = try await sdk.onboardingClient.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: "a"))
    #expect(customer.customerId == "c-1")
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-2")
    _ = try await sdk.onboardingClient.finalizeApplicationCreateProduct(
      request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: "a"))
    #expect(server.requests(.finalizeApplicationCreateProduct).map(\.bearer) == ["Bearer access-2"])
  }

  @Test("when that token cannot be had now, the customer exists all the same and the next call gets it")
  func newRightsLater() async throws {
    let sdk = try await signedIn()
    server.play(
      .finalizeApplicationCreateCustomer,
      PlayedServer.ok(PlayedServer.application("Application Accepted", customerId: "c-1")))
    server.play(.finalizeApplicationCreateProduct, PlayedServer.ok(PlayedServer.application("Application Processed")))
    server.play(.refreshAuthState, PlayedServer.fail(.offline))
    _ = try await sdk.onboardingClient.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: "a"))
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    _ = try await sdk.onboardingClient.finalizeApplicationCreateProduct(
      request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: "a"))
    #expect(server.requests(.finalizeApplicationCreateProduct).map(\.bearer) == ["Bearer access-2"])
  }

  @Test("a renewal that ends after the user signed out does not sign the user in again")
  func signOutMeanwhile() async throws {
    let sdk = try await signedIn()
    server.play(.signOut, PlayedServer.ok(EmptyBody()))
    server.play(
      .refreshAuthState,
      PlayedServer.after(
        { try? await sdk.authenticationClient.signOut() }, PlayedServer.ok(PlayedServer.tokens(2))))
    #expect(try await sdk.authenticationClient.refreshAuthState() == nil)
    #expect(await sdk.authenticationClient.currentAuthState() == nil && store.contents.isEmpty)
  }

  @Test("a renewal whose answer was lost is asked for again under the same key, also by another process")
  func lostAnswer() async throws {
    let sdk = try await signedIn()
    server.play(.refreshAuthState, PlayedServer.fail(.timedOut))
    _ = await failure { try await sdk.authenticationClient.refreshAuthState() as Any }
    let again = try await server.sdk(store: store)
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    #expect(try await again.authenticationClient.refreshAuthState()?.accessToken == "access-2")
    let keys = server.requests(.refreshAuthState).map(\.idempotencyKey)
    #expect(keys.count == 2 && Set(keys).count == 1 && keys[0].flatMap { UUID(uuidString: $0) } != nil)
    _ = try await again.authenticationClient.refreshAuthState()
    #expect(server.requests(.refreshAuthState).last?.idempotencyKey != keys[0])
  }

  @Test("a call that one user began is never made as another")
  func otherUser() async throws {
    let sdk = try await signedIn()
    let credential = credential
    server.play(.signIn, PlayedServer.ok(PlayedServer.tokens(7)))
    server.play(
      .acceptApplication,
      PlayedServer.after(
        { _ = try? await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential)) },
        PlayedServer.refuse(.unauthenticated)))
    let error = await failure {
      try await sdk.onboardingClient.acceptApplication(request: AcceptApplicationRequest(onboardingApplicationId: "a"))
    }
    #expect(error?.code == .unauthenticated)
    #expect(server.requests(.acceptApplication).map(\.bearer) == ["Bearer access-1"])
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-7")
  }

  @Test("tokens that cannot be read are forgotten, and do not keep the user out")
  func unreadable() async throws {
    let broken = MemorySecureStore(["finaptic.session": Data("?".utf8)])
    server.play(.signIn, PlayedServer.ok(PlayedServer.tokens(1)))
    let sdk = try await server.sdk(store: broken)
    #expect(await sdk.authenticationClient.currentAuthState() == nil)
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    #expect(await sdk.authenticationClient.currentAuthState() != nil)
  }

  @Test("signing in sends no token and keeps the code that says why not")
  func signInErrors() async throws {
    let sdk = try await signedIn()
    server.play(.signIn, PlayedServer.refuse(.unauthenticated, .signinInvalidPassword))
    let error = await failure {
      try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential, scope: "view:card"))
    }
    #expect(error?.code == .signinInvalidPassword && error?.genericCode == .unauthenticated)
    #expect(server.requests(.signIn).allSatisfy { $0.bearer == nil } && server.requests(.refreshAuthState).isEmpty)
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-1")
  }

  @Test("resetPassword knows no connection as unknown")
  func resetOffline() async throws {
    server.play(.resetPassword, PlayedServer.fail(.offline))
    let sdk = try await server.sdk()
    let error = await failure {
      try await sdk.authenticationClient.resetPassword(request: ResetRequest(email: "a@b.ca"))
    }
    #expect(error?.code == .unknown && error?.genericCode == .unavailable)
  }

  @Test("neither credentials nor tokens are printed")
  func prints() {
    let state = AuthState(accessToken: "access", refreshToken: "refresh")
    var dumped = ""
    dump(SignInRequest(credential: credential), to: &dumped)
    dump(state, to: &dumped)
    for text in [
      "\(credential)", "\(SignUpRequest(credential: credential))", "\(state)", "\(String(reflecting: state))", dumped,
    ] {
      #expect(!text.contains("Password1234") && !text.contains("access\"") && !text.contains("sample@"), "\(text)")
    }
  }
}
