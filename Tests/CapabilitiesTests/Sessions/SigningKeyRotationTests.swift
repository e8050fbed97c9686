// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Sessions: signing keys that change")
struct SigningKeyRotationTests {
  @Test("a new key signs only once every node had time to read it", arguments: Engine.available)
  func activation(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    let old = try await kid(app, family)
    try await app.signer.rotate()
    app.clock.advance(by: AccessTokenSigner.activationDelay - .milliseconds(1))
    #expect(try await kid(app, family) == old)
    app.clock.advance(by: .milliseconds(1))
    #expect(try await kid(app, family) != old)
  }

  @Test("a token signed just before the change is good for its whole life", arguments: Engine.available)
  func beforeChange(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    try await app.signer.rotate()
    let token = try await app.sessions.accessToken(for: family).token
    app.clock.advance(by: .minutes(15))
    #expect(try await app.refusal(of: token) == nil)
  }

  @Test(
    "verify with any key of the last 48 h: a superseded key verifies for so long, then no more",
    arguments: Engine.available)
  func overlap(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    var forge = try TokenForge(try await app.sessions.accessToken(for: family).token)
    let key = try #require(try await app.signingKeys().first).signing
    try await app.signer.rotate()
    let superseded = app.clock.now + AccessTokenSigner.activationDelay
    // A token that lives longer than ours do, to see the key's end and not the token's.
    forge.claims["exp"] = superseded.seconds + 1_000_000
    let token = try forge.signed(by: key)
    app.clock.set(superseded + .hours(48))
    #expect(try await app.refusal(of: token) == nil)
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.refusal(of: token) == "token-invalid")
  }

  @Test("another node verifies a token of a key that it had not seen, without being told", arguments: Engine.available)
  func otherNode(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let node = try await AccessTokenSigner.open(app.database, vault: app.vault, world: app.clock.world)
    try await app.signer.rotate()
    app.clock.advance(by: AccessTokenSigner.activationDelay)
    let (family, _) = try await app.open()
    let token = try await app.sessions.accessToken(for: family).token
    let identity = try await node.verify(token, policy: app.sessions.policy, tenant: "acme", now: app.clock.now)
    #expect(identity.subject == app.customer)
  }

  @Test("nodes that start at once on an empty database share one key", arguments: Engine.available)
  func racingStart(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    try await app.database.write { _ = try $0.execute("DELETE FROM signing_key") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try await AccessTokenSigner.open(app.database, vault: app.vault, world: app.clock.world)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await app.signingKeys().count == 1)
  }

  @Test("a signing key lies sealed in the store, and opens in its own row only", arguments: Engine.available)
  func sealedKey(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    try await app.signer.rotate()
    let keys = try await app.signingKeys()
    let bytes = try await app.made.bytesOnDisk()
    for key in keys { #expect(bytes.range(of: key.signing.rawRepresentation) == nil) }
    try await app.database.write { _ = try $0.execute("UPDATE signing_key SET id = 'x' WHERE id = \(keys[0].id)") }
    await #expect(throws: (any Error).self) { try await app.signingKeys() }
  }

  private func kid(_ app: SessionsTestApp, _ family: SessionFamily) async throws -> String? {
    try TokenForge(try await app.sessions.accessToken(for: family).token).header["kid"]
  }
}
