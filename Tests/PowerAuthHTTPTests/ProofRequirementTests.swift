// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Kit
import PowerAuthCore
import PowerAuthHTTP
import TestSupport
import Testing

@Suite("PowerAuth: what an application's own routes demand")
struct ProofRequirementTests {
  private typealias Echo = PowerAuthTestApp.Echo

  @Test("signed in the open, then encrypted, without an encryption header", arguments: ProtocolVersion.allCases)
  func signedThenEncrypted(version: ProtocolVersion) async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone(version)
      let words = try Phone.words("hello")
      let (body, opener) = try await phone.sealed(words, .genericActivation)
      let header = try phone.signatureHeader("/app/signed-encrypted", over: words)
      let answer = try await phone.send("/app/signed-encrypted", headers: [header], body: body)
      let echo = try phone.open(answer, opener, as: ResponseEnvelope<Echo>.self)
      #expect(echo.status == .ok)
      #expect(echo.responseObject == Echo(activation: try phone.id, factors: "possession", text: "hello"))
    }
  }

  @Test(
    "what networking for SDK 1.8 encrypts by 3.2, beside a signature of 3.3, is understood where 3.2 is taken",
    arguments: [ProtocolVersion.v31, .v33])
  func olderNetworking(lowest: ProtocolVersion) async throws {
    try await PowerAuthTestApp.run(protocolMin: lowest) { app in
      var phone = try await app.activePhone()
      var older = phone
      older.device.version = .v32
      let words = try Phone.words("hello")
      let (body, opener) = try await older.sealed(words, .genericActivation)
      let header = try phone.signatureHeader("/app/signed-encrypted", over: words)
      let answer = try await phone.send("/app/signed-encrypted", headers: [header], body: body)
      if lowest == .v33 {
        #expect(answer.refusal == "400 ERR_VERSION POWER_AUTH_VERSION_TOO_LOW")
      } else {
        #expect(try phone.open(answer, opener, as: ResponseEnvelope<Echo>.self).responseObject.text == "hello")
        // Once.
        #expect(
          try await phone.send("/app/signed-encrypted", headers: [header], body: body).refusal == Refusal.encryption)
      }
    }
  }

  @Test("where a header says 3.3, an envelope without a temporary key is told so, and plain text is never taken")
  func withoutKey() async throws {
    try await PowerAuthTestApp.run { app in
      let phone = try await app.activePhone()
      var older = phone
      older.device.version = .v32
      let words = try Phone.words("hello")
      for (path, encryptor) in [
        ("/app/activation", EncryptorIdentifier.genericActivation), ("/app/application", .genericApplication),
      ] {
        let header = try phone.encryptionHeader(ofActivation: encryptor.scope == .activation)
        let answer = try await phone.send(path, headers: [header], body: older.sealed(words, encryptor).body)
        #expect(answer.refusal == "400 ERR_ENCRYPTION POWER_AUTH_TEMPORARY_KEY_MISSING")
        // Networking 1.3 reads errors of encrypted calls by it.
        #expect(answer.json?["timestamp"] != nil)
        #expect(try await phone.send(path, headers: [header], body: words).refusal == Refusal.encryption)
        #expect(try await phone.send(path, body: words).refusal == Refusal.encryption)
        // By 3.2 throughout it is served.
        let own = try older.encryptionHeader(ofActivation: encryptor.scope == .activation)
        #expect(try await phone.send(path, headers: [own], body: older.sealed(words, encryptor).body).status == 200)
      }
    }
  }

  @Test("signed after the encryption is the other order, and refused where it is not the declared one")
  func otherOrder() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("hello")
      let (body, _) = try await phone.sealed(words, .genericActivation)
      let header = try phone.signatureHeader("/app/signed-encrypted", over: body)
      #expect(
        try await phone.send("/app/signed-encrypted", headers: [header], body: body).refusal == Refusal.signature)
      let (own, _) = try await phone.sealed(Data("{}".utf8), .createToken)
      let plain = try phone.signatureHeader("/pa/token/create", over: Data("{}".utf8))
      #expect(try await phone.send(.createToken, headers: [plain], body: own).refusal == Refusal.signature)
    }
  }

  @Test("an encryption header beside a signature may come and must agree")
  func twoHeaders() async throws {
    try await PowerAuthTestApp.run { app in
      var (phone, other) = (try await app.activePhone(), try await app.activePhone())
      let words = try Phone.words("hello")
      let headers = [
        try phone.encryptionHeader(ofActivation: true), try phone.encryptionHeader(ofActivation: false),
        try other.encryptionHeader(ofActivation: true), (EncryptionHeader.name, "PowerAuth nonsense"),
      ]
      for (number, encryption) in headers.enumerated() {
        let (body, _) = try await phone.sealed(words, .genericActivation)
        let signature = try phone.signatureHeader("/app/signed-encrypted", over: words)
        let answer = try await phone.send("/app/signed-encrypted", headers: [signature, encryption], body: body)
        #expect(answer.status == (number == 0 ? 200 : 400))
        if number > 0 { #expect(answer.refusal == Refusal.encryption) }
      }
      other = phone
    }
  }

  @Test("a token with an envelope of another device proves nothing")
  func mixedDevices() async throws {
    try await PowerAuthTestApp.run { app in
      var (phone, other) = (try await app.activePhone(), try await app.activePhone())
      let (token, words) = (try await phone.createToken(), try Phone.words("hello"))
      let (body, opener) = try await phone.sealed(words, .genericActivation)
      let mine = try await phone.send(
        "/app/token-encrypted",
        headers: [phone.tokenHeader(token), phone.encryptionHeader(ofActivation: true)], body: body)
      #expect(try phone.open(mine, opener, as: ResponseEnvelope<Echo>.self).responseObject.text == "hello")
      let (theirs, _) = try await other.sealed(words, .genericActivation)
      let mixed = try await phone.send(
        "/app/token-encrypted",
        headers: [phone.tokenHeader(token), other.encryptionHeader(ofActivation: true)], body: theirs)
      #expect(mixed.refusal == Refusal.encryption)
      _ = try await other.validate(.possession)
    }
  }

  @Test("the scope of an application and the scope of an activation are not each other's")
  func scopes() async throws {
    try await PowerAuthTestApp.run { app in
      let phone = try await app.activePhone()
      let words = try Phone.words("hello")
      let (ours, opener) = try await phone.sealed(words, .genericActivation)
      let activation = try await phone.send(
        "/app/activation", headers: [phone.encryptionHeader(ofActivation: true)], body: ours)
      #expect(
        try phone.open(activation, opener, as: ResponseEnvelope<Echo>.self).responseObject.activation == phone.id)
      let (everybodys, applicationOpener) = try await phone.sealed(words, .genericApplication)
      let application = try await phone.send(
        "/app/application", headers: [phone.encryptionHeader(ofActivation: false)], body: everybodys)
      #expect(
        try phone.open(application, applicationOpener, as: ResponseEnvelope<Echo>.self).responseObject
          == Echo(application: "Bank", text: "hello"))
      for (path, ofActivation) in [("/app/activation", false), ("/app/application", true)] {
        let encryptor: EncryptorIdentifier = ofActivation ? .genericActivation : .genericApplication
        let (body, _) = try await phone.sealed(words, encryptor)
        let answer = try await phone.send(
          path, headers: [phone.encryptionHeader(ofActivation: ofActivation)], body: body)
        #expect(answer.refusal == Refusal.encryption)
      }
    }
  }

  @Test("without its header a call is told so; with the header twice it proves nothing")
  func missing() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("hello")
      for path in ["/app/signed", "/app/signed-encrypted", "/app/token", "/app/token-encrypted"] {
        #expect(try await phone.send(path, body: words).refusal == Refusal.missing)
      }
      for path in ["/app/activation", "/app/application"] {
        #expect(try await phone.send(path, body: words).refusal == Refusal.encryption)
      }
      let header = try phone.signatureHeader("/app/signed", over: words)
      #expect(try await phone.send("/app/signed", headers: [header, header], body: words).refusal == Refusal.signature)
      #expect(try await phone.send("/app/signed", headers: [header], body: words).status == 200)
      let token = try phone.tokenHeader(try await phone.createToken())
      #expect(try await phone.send("/app/token", headers: [token, token], body: words).refusal == Refusal.token)
      #expect(try await phone.send("/app/token", headers: [token], body: words).status == 200)
    }
  }

  @Test("another type of signature than the accepted ones is told so and counts nothing")
  func types() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("hello")
      let header = try phone.signatureHeader("/app/signed", .possessionKnowledge, over: words, spoiling: [.knowledge])
      #expect(try await phone.send("/app/signed", headers: [header], body: words).refusal == Refusal.type)
      #expect(try await phone.unlockVault(.possessionBiometry).answer.refusal == Refusal.type)
      let token = try await phone.createToken(.possessionKnowledge)
      let tokenHeader = try phone.tokenHeader(token)
      #expect(try await phone.send("/app/token", headers: [tokenHeader], body: words).refusal == Refusal.type)
      #expect(try await phone.status().status.remainingAttempts == 5)
    }
  }

  @Test("an institution may let a biometric factor unlock the vault")
  func vaultByBiometry() async throws {
    var policy = PowerAuthRoutes.Policy()
    policy.unlocksVaultByBiometry = true
    let chosen = policy
    try await PowerAuthTestApp.run(routePolicy: chosen) { app in
      var phone = try await app.activePhone()
      #expect(try await phone.unlockVault(.possessionBiometry).answer.status == 200)
      #expect(try await phone.unlockVault(.possession).answer.refusal == Refusal.type)
    }
  }

  @Test("a route may refuse devices that are still being verified; their signature was spent")
  func flags() async throws {
    try await PowerAuthTestApp.run { app in
      let words = try Phone.words("hello")
      #expect(!PowerAuthTestApp.verification.isEmpty)
      for flag in PowerAuthTestApp.verification.sorted() {
        var phone = try await app.activePhone(flags: ["OTHER", flag])
        let header = try phone.signatureHeader("/app/verified", over: words)
        let refused = try await phone.send("/app/verified", headers: [header], body: words)
        #expect(refused.refusal == "401 ERR_AUTHENTICATION POWER_AUTH_REQUEST_INVALID")
        #expect(try await phone.status().status.counterByte == 1)
        _ = try await app.activations.setFlags(["OTHER"], of: .init(rawValue: phone.id), by: .system)
        let again = try phone.signatureHeader("/app/verified", over: words)
        #expect(try await phone.send("/app/verified", headers: [again], body: words).status == 200)
      }
    }
  }

  @Test("an error answers an encrypted request in the open, with the time where a room wants it")
  func stamps() async throws {
    for stamps in [true, false] {
      try await PowerAuthTestApp.run(stampsErrors: stamps) { app in
        let phone = try await app.activePhone()
        let header = try phone.encryptionHeader(ofActivation: false)
        let (body, _) = try await phone.sealed(Phone.words("hello"), .genericApplication)
        let answer = try await phone.send("/app/luck", headers: [header], body: body)
        #expect(answer.refusal == "409 NO_LUCK Tomorrow." && answer.json?["remainingAttempts"] == .integer(3))
        #expect(answer.json?["timestamp"] == (stamps ? .integer(Int64(app.now)) : nil))
        let spoilt = try await phone.send("/app/luck", headers: [header], body: Data("{}".utf8))
        #expect(spoilt.json?["timestamp"] == (stamps ? .integer(Int64(app.now)) : nil))
        // What is not encrypted needs no stamp, and PowerAuth's own calls have none.
        #expect(try await phone.send("/app/open", body: Data("[]".utf8)).json?["timestamp"] == nil)
        let own = try await phone.send(.createActivation, headers: [header], body: Data("{}".utf8))
        #expect(
          own.text
            == #"{"responseObject":{"code":"ERR_ENCRYPTION","message":"POWER_AUTH_ENCRYPTION_FAILED"},"#
            + #""status":"ERROR"}"#)
      }
    }
  }

  @Test("a call without an answer says OK and nothing else")
  func silent() async throws {
    try await PowerAuthTestApp.run { app in
      let answer = try await app.phone().send("/app/silent", body: Data())
      #expect(answer.text == #"{"status":"OK"}"#)
    }
  }
}
