// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Sessions: token tampering (5. alg none, wrong kid, cid of another jti, expired, other tenant)")
struct AccessTokenTamperTests {
  @Test(
    "alg none is refused, however it is written", arguments: Engine.available, ["none", "None", "NONE", "nOnE", ""])
  func algNone(engine: Engine, alg: String) async throws {
    let (app, token) = try await signedIn(engine)
    var forge = try TokenForge(token)
    forge.header["alg"] = alg
    for forged in [try forge.unsigned(), try forge.kept()] {
      #expect(try await app.refusal(of: forged) == "token-invalid")
    }
  }

  @Test(
    "a token that is written otherwise than it was made is refused, though it says the same",
    arguments: Engine.available)
  func spelling(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    // 64 bytes of signature leave four bits of the last character without meaning.
    let last = try #require(token.last)
    let next = try #require(["A": "B", "Q": "R", "g": "h", "w": "x"][String(last)])
    let parts = token.split(separator: ".").map(String.init)
    let others = [
      token + "=", token + "==", String(token.dropLast()) + next, token + ".", token + "\n", " " + token,
      "\(parts[0])=.\(parts[1]).\(parts[2])", "\(parts[0]).\(parts[1])=.\(parts[2])",
    ]
    for other in others { #expect(try await app.refusal(of: other) == "token-invalid", "\(other)") }
    #expect(try await app.refusal(of: token) == nil)
  }

  @Test("HS256 with the public key as its secret is refused", arguments: Engine.available)
  func publicKeyAsSecret(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    let key = try #require(try await app.signingKeys().first).signing.publicKey
    for alg in ["HS256", "ES256"] {
      var forge = try TokenForge(token)
      forge.header["alg"] = alg
      let secrets = [
        Data(key.pemRepresentation.utf8), key.derRepresentation, key.rawRepresentation, key.x963Representation, Data(),
      ]
      for secret in secrets where !secret.isEmpty {
        #expect(try await app.refusal(of: forge.hmac(secret)) == "token-invalid")
      }
    }
  }

  @Test("a wrong kid is refused, of any form", arguments: Engine.available)
  func wrongKid(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    for kid in ["", "none", "../../etc/passwd", "' OR 1=1 --", UUID().uuidString.lowercased(), UUID().uuidString] {
      var forge = try TokenForge(token)
      forge.header["kid"] = kid
      #expect(try await app.refusal(of: forge.kept()) == "token-invalid")
      #expect(try await app.refusal(of: forge.signed(by: P256.Signing.PrivateKey())) == "token-invalid")
    }
  }

  @Test("a signature by another key under the right kid is refused", arguments: Engine.available)
  func foreignSignature(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    #expect(try await app.refusal(of: TokenForge(token).signed(by: P256.Signing.PrivateKey())) == "token-invalid")
    #expect(try await app.refusal(of: TokenForge(token).unsigned()) == "token-invalid")
  }

  @Test("a header with a member twice is refused, rightly signed or not", arguments: Engine.available)
  func repeated(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    let key = try #require(try await app.signingKeys().first).signing
    let parts = token.split(separator: ".").map(String.init)
    let header = String(decoding: try #require(Data(base64URL: parts[0])), as: UTF8.self)
    for member in [#""alg":"none""#, #""\u0061lg":"none""#, #""kid":"1""#, #""jku":{"a":1,"a":2}"#] {
      let text = "\(Data("{\(member),\(header.dropFirst())".utf8).base64URL).\(parts[1])"
      let forged = "\(text).\(try key.signature(for: Data(text.utf8)).rawRepresentation.base64URL)"
      #expect(try await app.refusal(of: forged) == "token-invalid", "\(member)")
    }
  }

  @Test("a missing or other header member is refused", arguments: Engine.available)
  func header(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    let key = try #require(try await app.signingKeys().first).signing
    for (member, value) in [("typ", nil), ("typ", "JWT"), ("typ", ""), ("alg", nil), ("alg", "ES384"), ("kid", nil)]
      as [(String, String?)]
    {
      var forge = try TokenForge(token)
      forge.header[member] = value
      #expect(try await app.refusal(of: forge.signed(by: key)) == "token-invalid", "\(member) \(value ?? "missing")")
    }
  }

  @Test("a cid of another jti, or of another tenant, is refused even when rightly signed", arguments: Engine.available)
  func movedSubject(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    let key = try #require(try await app.signingKeys().first).signing
    let (family, _) = try await app.open()
    let other = try TokenForge(try await app.sessions.accessToken(for: family).token)
    var forge = try TokenForge(token)
    #expect(try await app.refusal(of: forge.signed(by: key)) == nil)
    forge.claims["cid"] = other.claims["cid"]
    #expect(try await app.refusal(of: forge.signed(by: key)) == "token-invalid")

    var moved = try TokenForge(token)
    moved.claims["tid"] = "other"
    #expect(try await app.refusal(of: moved.signed(by: key), tenant: "other") == "token-invalid")
  }

  @Test("every claim that was changed is refused under the old signature", arguments: Engine.available)
  func claims(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    let changes: [String: Any] = [
      "iss": "evil", "aud": "agents", "iat": 1, "nbf": 1, "exp": 9_999_999_999, "jti": UUID().uuidString, "sid": "x",
      "tid": "other", "scope": "admin", "cid": "AQ",
    ]
    for (claim, value) in changes {
      var forge = try TokenForge(token)
      forge.claims[claim] = value
      #expect(try await app.refusal(of: forge.kept()) == "token-invalid", "\(claim)")
    }
  }

  @Test(
    "a claim that is wrong, missing or of another type is refused even when rightly signed", arguments: Engine.available
  )
  func signedClaims(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    let key = try #require(try await app.signingKeys().first).signing
    let changes: [(String, Any?)] = [
      ("iss", "evil"), ("iss", nil), ("aud", "agents"), ("aud", nil), ("aud", ["bank", "agents"]), ("scope", "admin"),
      ("scope", nil), ("tid", "other"), ("exp", "never"), ("exp", nil), ("nbf", nil), ("cid", nil), ("cid", ""),
      ("cid", "!!"),
      ("jti", nil), ("sid", nil),
    ]
    for (claim, value) in changes {
      var forge = try TokenForge(token)
      forge.claims[claim] = value
      #expect(try await app.refusal(of: forge.signed(by: key)) == "token-invalid", "\(claim)")
    }
  }

  @Test("a change of any character of a token is refused", arguments: Engine.available)
  func characters(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    var generator = SeededGenerator(seed: 11)
    // The last character of the signature carries four bits that mean nothing; it is left out.
    let places = (0..<60).map { _ in Int.random(in: 0..<token.count - 1, using: &generator) }
    for place in places {
      var characters = Array(token)
      characters[place] = characters[place] == "A" ? "B" : "A"
      #expect(try await app.refusal(of: String(characters)) == "token-invalid", "at \(place)")
    }
  }

  @Test("what is no token is refused", arguments: Engine.available)
  func nonsense(engine: Engine) async throws {
    let (app, token) = try await signedIn(engine)
    let parts = token.split(separator: ".").map(String.init)
    for text in [
      "", ".", "..", "...", "a.b.c", parts[0], "\(parts[0]).\(parts[1])", token + ".", token + ".x", " " + token,
      "Bearer " + token,
      "\(parts[0])..\(parts[2])", String(repeating: "a", count: 5000), token + String(repeating: "A", count: 5000),
    ] {
      #expect(try await app.refusal(of: text) == "token-invalid")
    }
  }

  private func signedIn(_ engine: Engine) async throws -> (SessionsTestApp, String) {
    let app = try await SessionsTestApp(engine)
    let (family, _) = try await app.open()
    return (app, try await app.sessions.accessToken(for: family).token)
  }
}
