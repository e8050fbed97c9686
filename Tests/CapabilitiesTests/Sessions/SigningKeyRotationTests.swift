import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Sessions: signing keys that change")
struct SigningKeyRotationTests {
  @Test("a new key signs only once every node had time to read it", arguments: Engine.available)
  func activation(engine: Engine) async throws {
    let house = try await SessionsHouse(engine)
    let (family, _) = try await house.open()
    let old = try await kid(house, family)
    try await house.signer.rotate()
    house.clock.advance(by: AccessTokenSigner.activationDelay - .milliseconds(1))
    #expect(try await kid(house, family) == old)
    house.clock.advance(by: .milliseconds(1))
    #expect(try await kid(house, family) != old)
  }

  @Test("a token signed just before the change is good for its whole life", arguments: Engine.available)
  func beforeChange(engine: Engine) async throws {
    let house = try await SessionsHouse(engine)
    let (family, _) = try await house.open()
    try await house.signer.rotate()
    let token = try await house.sessions.accessToken(for: family).token
    house.clock.advance(by: .minutes(15))
    #expect(try await house.refusal(of: token) == nil)
  }

  @Test(
    "verify with any key of the last 48 h: a superseded key verifies for so long, then no more",
    arguments: Engine.available)
  func overlap(engine: Engine) async throws {
    let house = try await SessionsHouse(engine)
    let (family, _) = try await house.open()
    var forge = try TokenForge(try await house.sessions.accessToken(for: family).token)
    let key = try #require(try await house.signingKeys().first).signing
    try await house.signer.rotate()
    let superseded = house.clock.now + AccessTokenSigner.activationDelay
    // A token that lives longer than ours do, to see the key's end and not the token's.
    forge.claims["exp"] = superseded.seconds + 1_000_000
    let token = try forge.signed(by: key)
    house.clock.set(superseded + .hours(48))
    #expect(try await house.refusal(of: token) == nil)
    house.clock.advance(by: .milliseconds(1))
    #expect(try await house.refusal(of: token) == "token-invalid")
  }

  @Test("another node verifies a token of a key that it had not seen, without being told", arguments: Engine.available)
  func otherNode(engine: Engine) async throws {
    let house = try await SessionsHouse(engine)
    let node = try await AccessTokenSigner.open(house.database, vault: house.vault, world: house.clock.world)
    try await house.signer.rotate()
    house.clock.advance(by: AccessTokenSigner.activationDelay)
    let (family, _) = try await house.open()
    let token = try await house.sessions.accessToken(for: family).token
    let identity = try await node.verify(token, policy: house.sessions.policy, tenant: "acme", now: house.clock.now)
    #expect(identity.subject == house.customer)
  }

  @Test("nodes that start at once on an empty database share one key", arguments: Engine.available)
  func racingStart(engine: Engine) async throws {
    let house = try await SessionsHouse(engine)
    try await house.database.write { _ = try $0.execute("DELETE FROM signing_key") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try await AccessTokenSigner.open(house.database, vault: house.vault, world: house.clock.world)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await house.signingKeys().count == 1)
  }

  @Test("a signing key lies sealed in the store, and opens in its own row only", arguments: Engine.available)
  func sealedKey(engine: Engine) async throws {
    let house = try await SessionsHouse(engine)
    try await house.signer.rotate()
    let keys = try await house.signingKeys()
    let bytes = try await house.made.bytesOnDisk()
    for key in keys { #expect(bytes.range(of: key.signing.rawRepresentation) == nil) }
    try await house.database.write { _ = try $0.execute("UPDATE signing_key SET id = 'x' WHERE id = \(keys[0].id)") }
    await #expect(throws: (any Error).self) { try await house.signingKeys() }
  }

  private func kid(_ house: SessionsHouse, _ family: SessionFamily) async throws -> String? {
    try TokenForge(try await house.sessions.accessToken(for: family).token).header["kid"]
  }
}
