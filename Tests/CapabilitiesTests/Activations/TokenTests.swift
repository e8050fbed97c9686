import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: tokens and the vault")
struct TokenTests {
  private static func header(
    _ house: ActivationsHouse, _ token: CreatedToken, version: ProtocolVersion = .v33, at now: UInt64? = nil
  ) throws -> TokenHeader {
    try TokenDigest.header(
      for: TokenIdentifier(text: token.tokenId),
      secret: SecretKey(try #require(Data(base64Encoded: token.tokenSecret))),
      nonce: Randomness(house.clock.world.random).nonce(), timestamp: now ?? house.now, version: version)
  }

  private static func token(
    _ house: ActivationsHouse, _ type: SignatureType = .possession
  ) async throws -> (token: CreatedToken, activation: Activation) {
    let (_, id) = try await house.activeDevice()
    let activation = try await house.activations.find(id)
    return (try await house.activations.createToken(for: activation, type: type), activation)
  }

  private static let all = Set(SignatureType.allCases)

  @Test("a digest is good once, in every version", arguments: ProtocolVersion.allCases)
  func once(version: ProtocolVersion) async throws {
    let house = try await ActivationsHouse()
    let (token, activation) = try await Self.token(house)
    let header = try Self.header(house, token, version: version)
    #expect(try await house.activations.verify(header, allowed: Self.all).require().activation.id == activation.id)
    #expect(try await house.activations.verify(header, allowed: Self.all) == .invalid)
    #expect(try await house.otherNode().verify(header, allowed: Self.all) == .invalid)
    #expect(
      try await house.activations.verify(Self.header(house, token, version: version), allowed: Self.all).require().type
        == .possession)
  }

  @Test("a digest that another tenant handed in is still its owner's to use")
  func tenants() async throws {
    let house = try await ActivationsHouse()
    let header = try Self.header(house, try await Self.token(house).token)
    #expect(try await house.activations.verify(header, allowed: Self.all, tenant: "other") == .invalid)
    _ = try await house.activations.verify(header, allowed: Self.all, tenant: "acme").require()
  }

  @Test("of ten copies that race one is taken")
  func race() async throws {
    let house = try await ActivationsHouse()
    let (token, _) = try await Self.token(house)
    let header = try Self.header(house, token)
    let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 {
        group.addTask { try await house.activations.verify(header, allowed: Self.all) != .invalid }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(taken == 1)
  }

  @Test("a digest is good for two hours, and half an hour ahead")
  func timely() async throws {
    let house = try await ActivationsHouse()
    let (token, _) = try await Self.token(house)
    for (offset, isTaken): (Int64, Bool) in [
      (-7_200_001, false), (-7_200_000, true), (1_800_000, true), (1_800_001, false),
    ] {
      let header = try Self.header(house, token, at: UInt64(Int64(house.now) + offset))
      #expect((try await house.activations.verify(header, allowed: Self.all) != .invalid) == isTaken)
    }
  }

  @Test("every byte of a header, changed, is refused")
  func flipped() async throws {
    let house = try await ActivationsHouse()
    let (token, _) = try await Self.token(house)
    let header = try Self.header(house, token)
    let text = Array(header.value.utf8)
    for place in text.indices {
      var changed = text
      changed[place] ^= 1
      guard let read = try? TokenHeader(value: String(decoding: changed, as: UTF8.self)), read != header else {
        continue
      }
      #expect(try await house.activations.verify(read, allowed: Self.all) == .invalid, "byte \(place)")
    }
    #expect(try await house.activations.verify(header, allowed: Self.all) != .invalid)
  }

  @Test("a token stands for the type that it was made under, and no other")
  func types() async throws {
    let house = try await ActivationsHouse()
    let (token, _) = try await Self.token(house, .possessionKnowledge)
    #expect(
      try await house.activations.verify(Self.header(house, token), allowed: [.possession]) == .wrongType)
    #expect(
      try await house.activations.verify(Self.header(house, token), allowed: [.possessionKnowledge]).require().type
        == .possessionKnowledge)
  }

  @Test("a token ends when it is removed by its own device, or its activation is")
  func ends() async throws {
    let house = try await ActivationsHouse()
    let (token, activation) = try await Self.token(house)
    let (_, stranger) = try await Self.token(house)
    let id = try TokenIdentifier(text: token.tokenId)
    try await house.activations.removeToken(id, of: stranger)
    #expect(try await house.activations.verify(Self.header(house, token), allowed: Self.all) != .invalid)
    _ = try await house.activations.block(activation.id, by: .system)
    #expect(try await house.activations.verify(Self.header(house, token), allowed: Self.all) == .invalid)
    #expect(
      try await ActivationsHouse.problem {
        _ = try await house.activations.createToken(for: activation, type: .possession)
      } == "token-invalid")
    _ = try await house.activations.unblock(activation.id, by: .system)
    #expect(try await house.activations.verify(Self.header(house, token), allowed: Self.all) != .invalid)
    try await house.activations.removeToken(id, of: activation)
    try await house.activations.removeToken(id, of: activation)
    #expect(try await house.activations.verify(Self.header(house, token), allowed: Self.all) == .invalid)
    #expect(try await house.actions(activation.id).count { $0 == "token.removed" } == 1)
  }

  @Test("an app that makes too many tokens loses its oldest")
  func bounded() async throws {
    let house = try await ActivationsHouse()
    let (first, activation) = try await Self.token(house)
    var last = first
    for _ in 0..<Activations.tokensMax {
      house.clock.advance(by: .milliseconds(1))
      last = try await house.activations.createToken(for: activation, type: .possession)
    }
    #expect(try await house.activations.verify(Self.header(house, first), allowed: Self.all) == .invalid)
    #expect(try await house.activations.verify(Self.header(house, last), allowed: Self.all) != .invalid)
  }

  @Test("the vault's key reaches the device that is active, and the audit says why")
  func vault() async throws {
    let house = try await ActivationsHouse()
    let (device, id) = try await house.activeDevice()
    let activation = try await house.activations.find(id)
    let keys = try device.joined().keys
    let encrypted = try await house.activations.vaultKey(of: activation, reason: .addBiometry)
    #expect(try SecureVault.decrypted(encrypted, transportKey: keys.transport) == keys.vault)
    let line = try #require(try await house.activations.history(id).last)
    #expect(line.action == "vault.unlocked" && line.facts == ["reason": "ADD_BIOMETRY"])
    _ = try await house.activations.block(id, by: .system)
    #expect(
      try await ActivationsHouse.problem {
        _ = try await house.activations.vaultKey(of: activation, reason: .addBiometry)
      } == "signature-invalid")
  }

  @Test("what is known about a user comes from the port, for the activation's user and tenant")
  func claims() async throws {
    let house = try await ActivationsHouse(claims: UserClaims { user, tenant in ["sub": .string("\(user)@\(tenant)")] })
    let (_, id) = try await house.activeDevice()
    #expect(try await house.activations.userInfo(of: house.activations.find(id)) == ["sub": .string("ada@acme")])
  }
}
