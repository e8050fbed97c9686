// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Sessions: access tokens")
struct AccessTokenTests {
  @Test("a token says who speaks, for which tenant, in which scope, for fifteen minutes", arguments: Engine.available)
  func good(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    let (token, expiresIn) = try await app.sessions.accessToken(for: family)
    #expect(expiresIn == 900)
    let identity = try await app.sessions.verify(token, tenant: "acme")
    #expect(identity == AccessIdentity(subject: app.customer, family: family.id, tenant: "acme", scope: "onboarding"))

    let forge = try TokenForge(token)
    #expect(forge.header["alg"] == "ES256" && forge.header["typ"] == "at+jwt")
    #expect(forge.header["kid"] == (try await app.signingKeys().first?.id))
    #expect(Set(forge.claims.keys) == ["iss", "aud", "iat", "nbf", "exp", "jti", "sid", "tid", "scope", "cid"])
    let times = ["iat", "nbf", "exp"].map { (forge.claims[$0] as? NSNumber)?.int64Value }
    let now = app.clock.now.seconds
    let expected: [Int64?] = [now, now, now + 900]
    #expect(times == expected)
    let sealed = try #require(forge.claims["cid"] as? String)
    #expect(Data(base64URL: sealed)?.count == 45)  // version 1, nonce 12, UUID 16, tag 16
  }

  @Test("a clock that was set back behind the first key signs with that key", arguments: Engine.available)
  func setBack(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    app.clock.advance(by: .zero - .hours(1))
    let (token, _) = try await app.sessions.accessToken(for: family)
    #expect(try await app.sessions.verify(token, tenant: "acme").family == family.id)
  }

  @Test("no two tokens of a subject show anything in common that is the subject's", arguments: Engine.available)
  func subjectHidden(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    let tokens = [
      try await app.sessions.accessToken(for: family).token, try await app.sessions.accessToken(for: family).token,
    ]
    let uuid = try #require(UUID(uuidString: app.customer))
    let raw = withUnsafeBytes(of: uuid.uuid) { Data($0) }
    let digits = app.customer.replacing("-", with: "")
    for token in tokens {
      let parts = token.split(separator: ".").compactMap { Data(base64URL: String($0)) }
      let sealed = try #require(TokenForge(token).claims["cid"] as? String)
      for bytes in parts + [Data(token.utf8), Data(base64URL: sealed) ?? Data()] {
        #expect(bytes.range(of: raw) == nil)
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        #expect(!text.contains(app.customer) && !text.contains(digits) && !text.contains("phone"))
      }
    }
    let sealed = try tokens.map { try TokenForge($0).claims["cid"] as? String }
    #expect(sealed[0] != sealed[1])
  }

  @Test("a token is good until it expires and for the skew after, and not a second longer", arguments: Engine.available)
  func expiry(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    let token = try await app.sessions.accessToken(for: family).token
    let start = app.clock.now
    for (seconds, code) in [(899, nil), (900, nil), (929, nil), (930, "token-expired"), (86_400, "token-expired")] {
      app.clock.set(start + .seconds(seconds))
      #expect(try await app.refusal(of: token) == code, "after \(seconds) s")
    }
  }

  @Test("a token from a clock that is ahead is good within the skew", arguments: Engine.available)
  func notBefore(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    let token = try await app.sessions.accessToken(for: family).token
    let start = app.clock.now
    app.clock.set(start - .seconds(30))
    #expect(try await app.refusal(of: token) == nil)
    app.clock.set(start - .seconds(31))
    #expect(try await app.refusal(of: token) == "token-invalid")
  }

  @Test("a token of another tenant or audience is refused", arguments: Engine.available)
  func foreign(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    let token = try await app.sessions.accessToken(for: family).token
    #expect(try await app.refusal(of: token, tenant: "other") == "token-invalid")
    #expect(try await app.refusal(of: token, by: app.other(audience: "agents")) == "token-invalid")
    #expect(try await app.refusal(of: token) == nil)
  }

  @Test("a token of another installation is refused", arguments: Engine.available)
  func otherInstallation(engine: Engine) async throws {
    let (app, other) = (try await SessionsTestApp(engine), try await SessionsTestApp(engine, seed: 2))
    let (family, _) = try await other.open()
    let token = try await other.sessions.accessToken(for: family).token
    #expect(try await other.refusal(of: token) == nil)
    #expect(try await app.refusal(of: token) == "token-invalid")
  }
}
