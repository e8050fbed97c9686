// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: tokens and the vault")
struct TokenTests {
  private static func header(
    _ app: ActivationsTestApp, _ token: CreatedToken, version: ProtocolVersion = .v33, at now: UInt64? = nil
  ) throws -> TokenHeader {
    try TokenDigest.header(
      for: TokenIdentifier(text: token.tokenId),
      secret: SecretKey(try #require(Data(base64Encoded: token.tokenSecret))),
      nonce: Randomness(app.clock.world.random).nonce(), timestamp: now ?? app.now, version: version)
  }

  private static func token(
    _ app: ActivationsTestApp, _ type: SignatureType = .possession
  ) async throws -> (token: CreatedToken, activation: Activation) {
    let (_, id) = try await app.activeDevice()
    let activation = try await app.activations.find(id)
    return (try await app.activations.createToken(for: activation, type: type), activation)
  }

  private static let all = Set(SignatureType.allCases)

  @Test("a digest is good once, in every version", arguments: ProtocolVersion.allCases)
  func once(version: ProtocolVersion) async throws {
    let app = try await ActivationsTestApp()
    let (token, activation) = try await Self.token(app)
    let header = try Self.header(app, token, version: version)
    #expect(try await app.activations.verify(header, allowed: Self.all).require().activation.id == activation.id)
    #expect(try await app.activations.verify(header, allowed: Self.all) == .invalid)
    #expect(try await app.otherNode().verify(header, allowed: Self.all) == .invalid)
    #expect(
      try await app.activations.verify(Self.header(app, token, version: version), allowed: Self.all).require().type
        == .possession)
  }

  @Test("a digest that another tenant handed in is still its owner's to use")
  func tenants() async throws {
    let app = try await ActivationsTestApp()
    let header = try Self.header(app, try await Self.token(app).token)
    #expect(try await app.activations.verify(header, allowed: Self.all, tenant: "other") == .invalid)
    _ = try await app.activations.verify(header, allowed: Self.all, tenant: "acme").require()
  }

  @Test("of ten copies that race one is taken")
  func race() async throws {
    let app = try await ActivationsTestApp()
    let (token, _) = try await Self.token(app)
    let header = try Self.header(app, token)
    let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 {
        group.addTask { try await app.activations.verify(header, allowed: Self.all) != .invalid }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(taken == 1)
  }

  @Test("a digest is good for two hours, and half an hour ahead")
  func timely() async throws {
    let app = try await ActivationsTestApp()
    let (token, _) = try await Self.token(app)
    for (offset, isTaken): (Int64, Bool) in [
      (-7_200_001, false), (-7_200_000, true), (1_800_000, true), (1_800_001, false),
    ] {
      let header = try Self.header(app, token, at: UInt64(Int64(app.now) + offset))
      #expect((try await app.activations.verify(header, allowed: Self.all) != .invalid) == isTaken)
    }
  }

  @Test("every byte of a header, changed, is refused")
  func flipped() async throws {
    let app = try await ActivationsTestApp()
    let (token, _) = try await Self.token(app)
    let header = try Self.header(app, token)
    let text = Array(header.value.utf8)
    for place in text.indices {
      var changed = text
      changed[place] ^= 1
      guard let read = try? TokenHeader(value: String(decoding: changed, as: UTF8.self)), read != header else {
        continue
      }
      #expect(try await app.activations.verify(read, allowed: Self.all) == .invalid, "byte \(place)")
    }
    #expect(try await app.activations.verify(header, allowed: Self.all) != .invalid)
  }

  @Test("a token stands for the type that it was made under, and no other")
  func types() async throws {
    let app = try await ActivationsTestApp()
    let (token, _) = try await Self.token(app, .possessionKnowledge)
    #expect(
      try await app.activations.verify(Self.header(app, token), allowed: [.possession]) == .wrongType)
    #expect(
      try await app.activations.verify(Self.header(app, token), allowed: [.possessionKnowledge]).require().type
        == .possessionKnowledge)
  }

  @Test("a token ends when it is removed by its own device, or its activation is")
  func ends() async throws {
    let app = try await ActivationsTestApp()
    let (token, activation) = try await Self.token(app)
    let (_, stranger) = try await Self.token(app)
    let id = try TokenIdentifier(text: token.tokenId)
    try await app.activations.removeToken(id, of: stranger)
    #expect(try await app.activations.verify(Self.header(app, token), allowed: Self.all) != .invalid)
    _ = try await app.activations.block(activation.id, by: .system)
    #expect(try await app.activations.verify(Self.header(app, token), allowed: Self.all) == .invalid)
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.activations.createToken(for: activation, type: .possession)
      } == "token-invalid")
    _ = try await app.activations.unblock(activation.id, by: .system)
    #expect(try await app.activations.verify(Self.header(app, token), allowed: Self.all) != .invalid)
    try await app.activations.removeToken(id, of: activation)
    try await app.activations.removeToken(id, of: activation)
    #expect(try await app.activations.verify(Self.header(app, token), allowed: Self.all) == .invalid)
    #expect(try await app.actions(activation.id).count { $0 == "token.removed" } == 1)
  }

  @Test("an app that makes too many tokens loses its oldest")
  func bounded() async throws {
    let app = try await ActivationsTestApp()
    let (first, activation) = try await Self.token(app)
    var last = first
    for _ in 0..<Activations.tokensMax {
      app.clock.advance(by: .milliseconds(1))
      last = try await app.activations.createToken(for: activation, type: .possession)
    }
    #expect(try await app.activations.verify(Self.header(app, first), allowed: Self.all) == .invalid)
    #expect(try await app.activations.verify(Self.header(app, last), allowed: Self.all) != .invalid)
  }

  @Test("the vault's key reaches the device that is active, and the audit says why")
  func vault() async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice()
    let activation = try await app.activations.find(id)
    let keys = try device.joined().keys
    let encrypted = try await app.activations.vaultKey(of: activation, reason: .addBiometry)
    #expect(try SecureVault.decrypted(encrypted, transportKey: keys.transport) == keys.vault)
    let line = try #require(try await app.activations.history(id).last)
    #expect(line.action == "vault.unlocked" && line.facts == ["reason": "ADD_BIOMETRY"])
    _ = try await app.activations.block(id, by: .system)
    #expect(
      try await ActivationsTestApp.problem {
        _ = try await app.activations.vaultKey(of: activation, reason: .addBiometry)
      } == "signature-invalid")
  }

  @Test("what is known about a user comes from the port, for the activation's user and tenant")
  func claims() async throws {
    let app = try await ActivationsTestApp(claims: UserClaims { user, tenant in ["sub": .string("\(user)@\(tenant)")] })
    let (_, id) = try await app.activeDevice()
    #expect(try await app.activations.userInfo(of: app.activations.find(id)) == ["sub": .string("ada@acme")])
  }
}
