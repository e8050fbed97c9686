// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import Synchronization
import TestSupport
import Testing

@testable import Finaptic

/// A store that refuses for a while.
private final class MoodyStore: DirectSecureStore {
  private let inner = MemorySecureStore()
  private let refused = Mutex<Set<String>>([])

  func refuse(_ operations: String...) { refused.withLock { $0 = Set(operations) } }

  private func ask(_ operation: String) throws(SecureStoreError) {
    if refused.withLock({ $0.contains(operation) }) { throw SecureStoreError(.unavailable) }
  }

  func read(_ name: String) throws(SecureStoreError) -> Data? {
    try ask("read")
    return inner.read(name)
  }

  func write(_ data: Data, as name: String) throws(SecureStoreError) {
    try ask("write")
    inner.write(data, as: name)
  }

  func remove(_ name: String) throws(SecureStoreError) {
    try ask("remove")
    inner.remove(name)
  }
}

@Suite("Finaptic: the session when something is lost", .timeLimit(.minutes(5)))
struct LostSessionTests {
  private let server = PlayedServer()
  private let store = MoodyStore()
  private let credential = Credential(email: "sample@finaptic.com", password: "Password1234!@#$")

  private func signedIn() async throws -> FinapticSDK {
    server.play(.signIn, PlayedServer.ok(PlayedServer.tokens(1)))
    let sdk = try await server.sdk(store: store)
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    return sdk
  }

  private func customer(_ sdk: FinapticSDK) async throws {
    server.play(
      .finalizeApplicationCreateCustomer,
      PlayedServer.ok(PlayedServer.application("Application Accepted", customerId: "c-1")))
    _ = try await sdk.onboardingClient.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: "a"))
  }

  private func product(_ sdk: FinapticSDK) async throws {
    server.play(.finalizeApplicationCreateProduct, PlayedServer.ok(PlayedServer.application("Application Processed")))
    _ = try await sdk.onboardingClient.finalizeApplicationCreateProduct(
      request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: "a"))
  }

  @Test("the key of a renewal says nothing of the token: the same token elsewhere has another one")
  func key() async throws {
    server.play(.refreshAuthState, PlayedServer.fail(.timedOut))
    let sdk = try await signedIn()
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    _ = await failure { try await sdk.authenticationClient.refreshAuthState() as Any }
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    _ = await failure { try await sdk.authenticationClient.refreshAuthState() as Any }
    let sent = server.requests(.refreshAuthState)
    #expect(Set(sent.map(\.text)).count == 1 && Set(sent.map(\.idempotencyKey)).count == 2)
  }

  @Test("tokens that an earlier version kept, without a key, are renewed")
  func earlier() async throws {
    let kept = #"{"accessToken":"access-1","refreshToken":"refresh-1","accessExpiry":0}"#
    try store.write(Data(kept.utf8), as: "finaptic.session")
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    let sdk = try await server.sdk(store: store)
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-2")
    #expect(server.requests(.refreshAuthState).first?.idempotencyKey != nil)
  }

  @Test("an answer that was lost long ago holds a token that is over: it is renewed once more before its use")
  func oldAnswer() async throws {
    let sdk = try await signedIn()
    server.play(
      .refreshAuthState, PlayedServer.repeated(PlayedServer.tokens(2)), PlayedServer.ok(PlayedServer.tokens(3)))
    #expect(try await sdk.authenticationClient.refreshAuthState()?.accessToken == "access-3")
    let sent = server.requests(.refreshAuthState)
    #expect(sent.map(\.text) == [#"{"refresh_token":"refresh-1"}"#, #"{"refresh_token":"refresh-2"}"#])
    #expect(sent[0].idempotencyKey != sent[1].idempotencyKey)
  }

  @Test("without a network after it, it is kept and renewed later")
  func oldAnswerOffline() async throws {
    let sdk = try await signedIn()
    server.play(.refreshAuthState, PlayedServer.repeated(PlayedServer.tokens(2)), PlayedServer.fail(.timedOut))
    #expect(try await sdk.authenticationClient.refreshAuthState()?.refreshToken == "refresh-2")
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(3)))
    let again = try await server.sdk(store: store)
    #expect(await again.authenticationClient.currentAuthState()?.accessToken == "access-3")
    #expect(server.requests(.refreshAuthState).last?.text == #"{"refresh_token":"refresh-2"}"#)
  }

  @Test("an old answer that is refused then ends the session")
  func oldAnswerRefused() async throws {
    let sdk = try await signedIn()
    server.play(
      .refreshAuthState, PlayedServer.repeated(PlayedServer.tokens(2)),
      PlayedServer.refuse(.unauthenticated, .signinError))
    #expect(await failure { try await sdk.authenticationClient.refreshAuthState() as Any }?.code == .signinError)
    #expect(await sdk.authenticationClient.currentAuthState() == nil)
  }

  @Test("currentAuthState never gives tokens of a user who signed out while it tried to renew them")
  func signedOutMeanwhile() async throws {
    let sdk = try await signedIn()
    server.advance(seconds: 901)
    server.play(.signOut, PlayedServer.ok(EmptyBody()))
    server.play(
      .refreshAuthState,
      PlayedServer.after({ try? await sdk.authenticationClient.signOut() }, PlayedServer.fail(.offline)))
    #expect(await sdk.authenticationClient.currentAuthState() == nil)
  }

  @Test("nor of a user in whose place another user signed in")
  func otherUserMeanwhile() async throws {
    let sdk = try await signedIn()
    let credential = credential
    server.advance(seconds: 901)
    server.play(.signIn, PlayedServer.ok(PlayedServer.tokens(7)))
    server.play(
      .refreshAuthState,
      PlayedServer.after(
        { _ = try? await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential)) },
        PlayedServer.ok(PlayedServer.tokens(2))))
    #expect(await sdk.authenticationClient.currentAuthState()?.accessToken == "access-7")
  }

  @Test("a customer's token that could not be had is had by the next process")
  func newRightsAfterCrash() async throws {
    let sdk = try await signedIn()
    server.play(.refreshAuthState, PlayedServer.fail(.offline))
    try await customer(sdk)
    let again = try await server.sdk(store: store)
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    try await product(again)
    #expect(server.requests(.finalizeApplicationCreateProduct).map(\.bearer) == ["Bearer access-2"])
  }

  @Test("a renewal that began before the customer existed does not count as the one that follows")
  func newRightsDuringRenewal() async throws {
    let sdk = try await signedIn()
    // The renewal of another call is answered, but not yet there, when the customer is created.
    let created = AsyncStream<Void>.makeStream()
    server.play(
      .refreshAuthState,
      PlayedServer.after({ for await _ in created.stream { break } }, PlayedServer.ok(PlayedServer.tokens(2))),
      PlayedServer.ok(PlayedServer.tokens(3)))
    async let earlier = sdk.authenticationClient.refreshAuthState()
    try await waitUntil("the renewal is on its way") { !server.requests(.refreshAuthState).isEmpty }
    server.play(
      .finalizeApplicationCreateCustomer,
      PlayedServer.after(
        { created.continuation.yield() },
        PlayedServer.ok(PlayedServer.application("Application Accepted", customerId: "c-1"))))
    _ = try await sdk.onboardingClient.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: "a"))
    _ = try await earlier
    try await product(sdk)
    #expect(server.requests(.finalizeApplicationCreateProduct).map(\.bearer) == ["Bearer access-3"])
  }

  @Test("signing out tells the server also when the device's store fails", arguments: ["read", "remove"])
  func signOutBrokenStore(operation: String) async throws {
    let sdk = try await signedIn()
    server.play(.signOut, PlayedServer.ok(EmptyBody()))
    store.refuse(operation)
    let error = await failure { try await sdk.authenticationClient.signOut() }
    // What is in memory is enough; what cannot be removed is told.
    #expect((error == nil) == (operation == "read"))
    #expect(server.requests(.signOut).map(\.text) == [#"{"refresh_token":"refresh-1"}"#])
    #expect(await sdk.authenticationClient.currentAuthState() == nil)
  }

  @Test("signing out with a store that cannot be read at all clears what there is")
  func signOutUnreadableStore() async throws {
    _ = try await signedIn()
    let again = try await server.sdk(store: store)
    store.refuse("read")
    try await again.authenticationClient.signOut()
    store.refuse()
    #expect(await again.authenticationClient.currentAuthState() == nil)
    let third = try await server.sdk(store: store)
    #expect(await third.authenticationClient.currentAuthState() == nil)
  }

  @Test("a sign-in whose tokens cannot be kept leaves the former session whole, and the server's new one closed")
  func signInBrokenStore() async throws {
    let sdk = try await signedIn()
    server.play(.signIn, PlayedServer.ok(PlayedServer.tokens(7)))
    server.play(.signOut, PlayedServer.ok(EmptyBody()))
    store.refuse("write")
    let error = await failure {
      try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    }
    #expect(error != nil)
    #expect(server.requests(.signOut).map(\.text) == [#"{"refresh_token":"refresh-7"}"#])
    store.refuse()
    server.play(.refreshAuthState, PlayedServer.ok(PlayedServer.tokens(2)))
    #expect(try await sdk.authenticationClient.refreshAuthState()?.accessToken == "access-2")
    #expect(server.requests(.refreshAuthState).last?.text == #"{"refresh_token":"refresh-1"}"#)
  }
}
