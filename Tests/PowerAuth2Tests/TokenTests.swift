// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: tokens")
struct TokenTests {
  @Test("a token's header is accepted once", arguments: [ProtocolVersion.v32, .v33])
  func header(version: ProtocolVersion) async throws {
    let phone = Phone(version)
    let sdk = try await phone.activated()
    #expect(sdk.tokenStore.canRequestForAccessToken() && !sdk.tokenStore.hasLocalToken(withName: "t"))
    #expect(
      await failure { try await sdk.tokenStore.generateAuthorizationHeader(withName: "t") } == .invalidToken)
    let token = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    #expect(token.tokenName == "t" && token.isValid && token.canGenerateHeader)
    let header = try #require(token.generateHeader())
    #expect(header.key == "X-PowerAuth-Token")
    #expect(try phone.peer.verifyToken(header.value).type == .possession)
    #expect(throws: Refusal.self) { try phone.peer.verifyToken(header.value) }
    let second = try await sdk.tokenStore.generateAuthorizationHeader(withName: "t")
    _ = try phone.peer.verifyToken(second.value)
  }

  @Test("the token that is here is used, after a restart too; one made with other factors is not given")
  func reused() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let token = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    let again = phone.start()
    let same = try await again.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    #expect(same.tokenIdentifier == token.tokenIdentifier && phone.peer.count(of: .createToken) == 1)
    let pin = PowerAuthAuthentication.possessionWithPassword(Phone.pin)
    #expect(
      await failure { try await again.tokenStore.requestAccessToken(withName: "t", authentication: pin) }
        == .wrongParameter)
    _ = try await again.tokenStore.requestAccessToken(withName: "strong", authentication: pin)
    #expect(phone.peer.state.withLock { Set($0.tokens.values.map(\.type)) } == [.possession, .possessionKnowledge])
  }

  @Test("many who want the same token at once get the one that is made")
  func serialised() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession()).tokenIdentifier
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(identifiers.count == 1 && phone.peer.count(of: .createToken) == 1)
  }

  @Test("removed at the server and here; removed here only")
  func removed() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let token = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    #expect(try await sdk.tokenStore.removeAccessToken(withName: "t"))
    #expect(!token.isValid && token.generateHeader() == nil && sdk.tokenStore.localToken(withName: "t") == nil)
    #expect(phone.peer.state.withLock { $0.tokens.isEmpty })
    #expect(await failure { try await sdk.tokenStore.removeAccessToken(withName: "t") } == .invalidToken)

    for name in ["a", "b", "c"] {
      _ = try await sdk.tokenStore.requestAccessToken(withName: name, authentication: .possession())
    }
    sdk.tokenStore.removeLocalToken(withName: "a")
    #expect(!sdk.tokenStore.hasLocalToken(withName: "a") && sdk.tokenStore.hasLocalToken(withName: "b"))
    sdk.tokenStore.removeAllLocalTokens()
    #expect(!sdk.tokenStore.hasLocalToken(withName: "b") && phone.peer.state.withLock { $0.tokens.count } == 3)
  }

  @Test("no header leaves before the server's time is known")
  func time() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let token = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    sdk.timeSynchronizationService.resetTimeSynchronization()
    #expect(token.isValid && !token.canGenerateHeader && token.generateHeader() == nil)
    let header = try await sdk.tokenStore.generateAuthorizationHeader(withName: "t")
    _ = try phone.peer.verifyToken(header.value)
    #expect(sdk.timeSynchronizationService.isTimeSynchronized)
  }

  @Test("tokens of another activation do not count, nor do damaged ones")
  func foreign() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    let sdk = try await phone.activated()
    _ = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    try store.write(Data("damaged".utf8), as: "powerauth.default.tokens")
    #expect(!sdk.tokenStore.hasLocalToken(withName: "t"))
    _ = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    let tokens = try #require(store.contents["powerauth.default.tokens"])
    sdk.removeActivationLocal()
    _ = try await sdk.createActivation(PowerAuthActivation(identityAttributes: ["otpCode": "1234"]))
    try sdk.persistActivation(withPassword: Phone.pin)
    try store.write(tokens, as: "powerauth.default.tokens")
    #expect(!sdk.tokenStore.hasLocalToken(withName: "t"))
  }

  @Test("without an activation there are no tokens")
  func none() async {
    let sdk = Phone().start()
    #expect(!sdk.tokenStore.canRequestForAccessToken())
    #expect(
      await failure { try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession()) }
        == .missingActivation)
    #expect(
      await failure { try await sdk.tokenStore.generateAuthorizationHeader(withName: "t") } == .missingActivation)
  }
}
