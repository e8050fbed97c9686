// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import Testing
import TestSupport

@testable import Identity

@Suite("Security keys: what they answer", .storeless)
struct WebAuthnTests {
  private static let challenge = Data((0..<32).map { UInt8($0) })
  private let webAuthn = WebAuthn(relyingParty: "localhost", origin: "http://localhost:8080")
  private let authenticator = SoftwareAuthenticator()

  private func data(_ text: String) throws -> Data { try #require(Data(base64URL: text)) }

  private func refusal(_ body: () throws -> some Any) -> WebAuthn.Refusal? {
    do {
      _ = try body()
      return nil
    } catch { return error as? WebAuthn.Refusal }
  }

  private func registered() throws -> WebAuthn.Credential {
    let (client, attestation) = authenticator.registration(Self.challenge)
    return try webAuthn.register(clientData: client, attestation: attestation, challenge: Self.challenge)
  }

  /// From the tests of jaredhanson/passport-webauthn (MIT), which recorded a YubiKey 5C and a YubiKey 4.
  @Test("a registration and an assertion of real keys are accepted")
  func recorded() throws {
    let local = WebAuthn(relyingParty: "localhost", origin: "http://localhost:3000")
    let credential = try local.register(
      clientData: data(
        "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiTVRJek5BIiwib3JpZ2luIjoiaHR0cDovL2xvY2FsaG9zdDozMDAwIiwi"
          + "Y3Jvc3NPcmlnaW4iOmZhbHNlfQ"),
      attestation: data(
        "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjESZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NBAAAAOgAAAAAAAAAAAAAAAAAA"
          + "AAAAQJ_dGSPhcDwPR0-Y7WYp7N90bWntWc9cy56A0fcgo-ScM9jwenyUdCgj2XoTkQfobePJkX23AOddnJw8n20ENDmlAQIDJiABIVgg"
          + "p-ZH3WpsBVUojVZ1D1BufQoSMplIVbiKl-g4PojQCfkiWCBkt-eEtwaQkv2aRTTLMVHr0gucag7QbOA0m_WyFtuXIg"),
      challenge: Data("1234".utf8))
    #expect(
      try credential.id
        == data("n90ZI-FwPA9HT5jtZins33Rtae1Zz1zLnoDR9yCj5Jwz2PB6fJR0KCPZehORB-ht48mRfbcA512cnDyfbQQ0OQ"))
    #expect(credential.signCount == 58 && !credential.isVerified)
    #expect(
      try P256.Signing.PublicKey(x963Representation: credential.publicKey).derRepresentation.base64EncodedString()
        == "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEp+ZH3WpsBVUojVZ1D1BufQoSMplIVbiKl+g4PojQCflkt+eEtwaQkv2aRTTLMVHr0gucag7QbOA0m/WyFtuXIg=="
    )
    let der = try #require(
      Data(
        base64Encoded:
          "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaLB+Aejtfh9S/i+iU1IfvQswbRlSEGu/tcXrRjnscbMNflAnHVHDeb4PzlexGEjGgrsZiuLmlq+ZTOJjOsGOeQ=="
      ))
    let other = WebAuthn.Credential(
      id: Data([1]), publicKey: try P256.Signing.PublicKey(derRepresentation: der).x963Representation, signCount: 79,
      isVerified: false)
    let count = try local.assert(
      clientData: data(
        "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiTVRJek5BIiwib3JpZ2luIjoiaHR0cDovL2xvY2FsaG9zdDozMDAwIiwiY3Jv"
          + "c3NPcmlnaW4iOmZhbHNlfQ"),
      authenticatorData: data("SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MBAAAAUA"),
      signature: data(
        "MEUCICG43QV-jSPIChOZOCh3KO07dtM32dBXFBBOlk34m4BIAiEAp7iRKyhglWg7m8OezNieFOzxZdRl42FyDaXq6jbt45g"),
      challenge: Data("1234".utf8), by: other)
    #expect(count == 80)
  }

  @Test("a registration for another challenge, origin or site, or without a touch, is refused")
  func registrations() throws {
    #expect(try registered().id == authenticator.id)
    func refusal(_ authenticator: SoftwareAuthenticator, challenge: Data = Self.challenge) -> WebAuthn.Refusal? {
      let (client, attestation) = authenticator.registration(Self.challenge)
      return self.refusal {
        try webAuthn.register(clientData: client, attestation: attestation, challenge: challenge)
      }
    }
    #expect(refusal(authenticator, challenge: Data(repeating: 9, count: 32)) == .challenge)
    #expect(refusal(SoftwareAuthenticator(origin: "https://localhost:8080")) == .origin)
    #expect(refusal(SoftwareAuthenticator(origin: "http://localhost:8080.evil.example")) == .origin)
    #expect(refusal(SoftwareAuthenticator(relyingParty: "evil.example")) == .relyingParty)
    var untouched = authenticator
    untouched.flags = 0x04
    #expect(refusal(untouched) == .notPresent)
    // An assertion's client data is no registration's.
    let (client, _, _) = try authenticator.assertion(Self.challenge, counter: 1)
    let attestation = authenticator.registration(Self.challenge).attestation
    #expect(
      self.refusal { try webAuthn.register(clientData: client, attestation: attestation, challenge: Self.challenge) }
        == .clientData)
  }

  @Test("an attestation in another format, another algorithm, or a point off the curve is refused")
  func attestations() throws {
    let (client, sound) = authenticator.registration(Self.challenge)
    func refusal(_ change: (inout Data) -> Void) -> WebAuthn.Refusal? {
      var attestation = sound
      change(&attestation)
      return self.refusal {
        try webAuthn.register(clientData: client, attestation: attestation, challenge: Self.challenge)
      }
    }
    #expect(refusal { _ in } == nil)
    #expect(refusal { $0.replaceSubrange(6..<10, with: Data("nono".utf8)) } == .attestation)
    #expect(refusal { $0.append(0) } == .attestation)
    #expect(refusal { $0.removeLast() } == .attestation)
    #expect(refusal { $0[$0.count - 1] ^= 1 } == .key)
    // The algorithm, -7: the key has 77 bytes, of which it is the fifth.
    #expect(refusal { $0[$0.count - 77 + 4] = 0x27 } == .key)
  }

  @Test("an assertion signs in once for its challenge, and not with another key, another site or an old counter")
  func assertions() throws {
    let credential = try registered()
    func assert(
      _ authenticator: SoftwareAuthenticator, counter: UInt32 = 2, challenge: Data = Self.challenge,
      _ change: (inout Data) -> Void = { _ in }
    ) throws -> UInt32 {
      var (client, data, signature) = try authenticator.assertion(Self.challenge, counter: counter)
      change(&data)
      return try webAuthn.assert(
        clientData: client, authenticatorData: data, signature: signature, challenge: challenge, by: credential)
    }
    #expect(try assert(authenticator) == 2)
    #expect(refusal { try assert(authenticator, counter: 1) } == .counter)
    #expect(refusal { try assert(authenticator, counter: 0) } == .counter)
    #expect(refusal { try assert(authenticator, challenge: Data([1])) } == .challenge)
    #expect(refusal { try assert(authenticator) { $0[36] += 1 } } == .signature)
    #expect(refusal { try assert(authenticator) { $0.removeLast() } } == .authenticatorData)
    #expect(refusal { try assert(SoftwareAuthenticator()) } == .signature)
    var elsewhere = authenticator
    elsewhere.origin = "https://evil.example"
    #expect(refusal { try assert(elsewhere) } == .origin)
    elsewhere = authenticator
    elsewhere.relyingParty = "evil.example"
    #expect(refusal { try assert(elsewhere) } == .relyingParty)
  }

  @Test(
    "client data with a member twice is refused, whichever of them is right",
    arguments: [#""origin":"https://evil.example""#, #""challen\u0067e":"AA""#, #""type":"webauthn.get""#])
  func repeated(member: String) throws {
    let credential = try registered()
    let (client, data, signature) = try authenticator.assertion(Self.challenge, counter: 2)
    let twice = Data("{\(member),".utf8) + client.dropFirst()
    #expect(
      refusal {
        try webAuthn.assert(
          clientData: twice, authenticatorData: data, signature: signature, challenge: Self.challenge, by: credential)
      } == .clientData)
  }

  @Test("an authenticator without a counter keeps none")
  func withoutCounter() throws {
    let (client, attestation) = authenticator.registration(Self.challenge, counter: 0)
    let credential = try webAuthn.register(clientData: client, attestation: attestation, challenge: Self.challenge)
    let (again, data, signature) = try authenticator.assertion(Self.challenge, counter: 0)
    #expect(
      try webAuthn.assert(
        clientData: again, authenticatorData: data, signature: signature, challenge: Self.challenge, by: credential)
        == 0)
  }

  @Test("the site is the host of the console's address, the origin has its port")
  func addresses() throws {
    func made(_ text: String) throws -> WebAuthn? { WebAuthn(address: try #require(URL(string: text))) }
    let standard = try #require(try made("https://console.bank.example"))
    #expect(standard.relyingParty == "console.bank.example" && standard.origin == "https://console.bank.example")
    #expect(try made("https://Console.Bank.example:443")?.origin == "https://console.bank.example")
    #expect(try made("https://console.bank.example:8443")?.origin == "https://console.bank.example:8443")
  }
}
