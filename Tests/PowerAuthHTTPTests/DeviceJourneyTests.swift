// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@Suite("PowerAuth: a device's life through HTTP, in every version of the protocol")
struct DeviceJourneyTests {
  @Test(
    "a device joins by code, proves itself, gets a token and the vault's key, and leaves",
    arguments: ProtocolVersion.allCases)
  func whole(version: ProtocolVersion) async throws {
    try await PowerAuthTestApp.run { app in
      let started = try await app.activations.initiate(
        InitiateActivation(application: app.release.application.id, user: "ada"), by: .client("bank"))
      var phone = app.phone(version)
      try await phone.activate(.code, ["code": started.code.text])
      #expect(try await phone.status().status.state == .pendingCommit)
      #expect(try await phone.validate(.possession).refusal == Refusal.signature)
      _ = try await app.activations.commit(started.activation.id, by: .client("bank"))
      let status = try await phone.status().status
      #expect(status.state == .active && status.remainingAttempts == 5 && status.lookAhead == 20)

      // The refused signature moved the device's counter and not the server's.
      for type in [SignatureType.possession, .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry] {
        #expect(try await phone.validate(type).text == #"{"status":"OK"}"#)
      }
      #expect(try await phone.status().status.counterByte == 5)

      let token = try await phone.createToken()
      let words = try Phone.words("hello")
      let used = try await phone.send("/app/token", headers: [phone.tokenHeader(token)], body: words)
      #expect(try used.object(PowerAuthTestApp.Echo.self).factors == "possession")

      let unlocked = try await phone.unlockVault()
      let vaultKey = try #require(
        (unlocked.content?.encryptedVaultEncryptionKey).flatMap { Data(base64Encoded: $0) })
      let joined = try phone.device.joined()
      #expect(try SecureVault.decrypted(vaultKey, transportKey: joined.keys.transport) == joined.keys.vault)

      let removed = try await phone.remove()
      #expect(try removed.object(ActivationReference.self).activationId == joined.identifier.text)
      #expect(try await phone.status().status.state == .removed)
      let late = try await phone.send("/app/token", headers: [phone.tokenHeader(token)], body: words)
      #expect(late.refusal == Refusal.token)
      #expect(try await phone.validate(.possession).refusal == Refusal.signature)
    }
  }

  @Test("the calls are served below the configured base and without it")
  func bases() async throws {
    try await PowerAuthTestApp.run { app in
      for base in ["", PowerAuthTestApp.base] {
        let answer = try await app.phone().send(base + "/pa/v3/status", body: Data("{}".utf8))
        let status = try answer.object(ServerStatus.self)
        #expect(status.serverTime == app.now && status.application?.name == "gatehouse")
      }
    }
  }

  @Test("a custom activation tells the device how many tries are left, and a granted one is active with its flags")
  func custom() async throws {
    let provider = CustomActivationProvider(
      authorize: { request, _ in
        guard request.identity["credentialsType"] == "ONBOARDING" else { return .notMine }
        guard request.identity["otpCode"] == "123456" else { return .refused(remainingAttempts: 4) }
        return .granted(
          CustomActivationGrant(user: "grace", flags: ["VERIFICATION_PENDING"], attributes: ["welcome": .bool(true)]))
      }, created: { _, _, _ in })
    try await PowerAuthTestApp.run(provider: provider) { app in
      var phone = app.phone()
      var identity = ["processId": "p-1", "otpCode": "999999", "credentialsType": "ONBOARDING"]
      let (wrong, _) = try await phone.createActivation(.custom, identity)
      #expect(wrong.refusal == Refusal.activation)
      #expect(wrong.json?["remainingAttempts"] == .integer(4))
      identity["otpCode"] = "123456"
      let response = try await phone.activate(.custom, identity)
      #expect(response.customAttributes == ["welcome": .bool(true)])
      let (status, flags) = try await phone.status()
      #expect(status.state == .active && flags == ["VERIFICATION_PENDING"])
      let (other, _) = try await phone.createActivation(.custom, ["credentialsType": "OTHER"])
      #expect(other.refusal == Refusal.activation && other.json?["remainingAttempts"] == nil)
      let (direct, _) = try await phone.createActivation(.direct, [:])
      #expect(direct.refusal == Refusal.activation)
    }
  }

  @Test("a recovery code gives a new device the place of the old one; a wrong PUK says which one is asked for")
  func recovery() async throws {
    try await PowerAuthTestApp.run(issuesRecoveryCodes: true) { app in
      var old = try await app.activePhone()
      let written = try #require(try old.device.joined().recovery)
      let confirm = try JSONEncoder().encode(ConfirmRecoveryRequest(recoveryCode: written.recoveryCode))
      let (_, confirmed) = try await old.own(
        .confirmRecovery, .confirmRecoveryCode, .possessionKnowledge, confirm, as: ConfirmRecoveryResponse.self)
      #expect(confirmed != nil)
      var new = app.phone()
      let wrong = written.puk == "0000000000" ? "0000000001" : "0000000000"
      let (refused, _) = try await new.createActivation(
        .recovery, ["recoveryCode": written.recoveryCode, "puk": wrong])
      #expect(refused.refusal == Refusal.recovery)
      #expect(refused.json?["responseObject"]?["currentRecoveryPukIndex"] == .integer(1))
      let (short, _) = try await new.createActivation(
        .recovery, ["recoveryCode": written.recoveryCode, "puk": String(written.puk.dropLast())])
      #expect(short.refusal == Refusal.recovery)
      #expect(short.json?["responseObject"]?["currentRecoveryPukIndex"] == .integer(1))
      try await new.activate(.recovery, ["recoveryCode": written.recoveryCode, "puk": written.puk])
      #expect(try await old.status().status.state == .removed)
      #expect(try await old.validate(.possession).refusal == Refusal.signature)
    }
  }

  @Test("the wrong PUK that blocks a recovery code asks for none, and a blocked code is as one that is not there")
  func blockedRecovery() async throws {
    try await PowerAuthTestApp.run(issuesRecoveryCodes: true) { app in
      let old = try await app.activePhone()
      let written = try #require(try old.device.joined().recovery)
      let new = app.phone()
      for attempt in 1...5 {
        let (refused, _) = try await new.createActivation(
          .recovery, ["recoveryCode": written.recoveryCode, "puk": String(written.puk.dropLast())])
        #expect(refused.refusal == (attempt < 5 ? Refusal.recovery : Refusal.activation), "\(attempt)")
        let index: JSONValue? = attempt < 5 ? .integer(1) : nil
        #expect(refused.json?["responseObject"]?["currentRecoveryPukIndex"] == index, "\(attempt)")
      }
      let (blocked, _) = try await new.createActivation(
        .recovery, ["recoveryCode": written.recoveryCode, "puk": written.puk])
      #expect(blocked.refusal == Refusal.activation)
    }
  }

  @Test("five wrong PINs block the device, which then proves nothing until the bank unblocks it")
  func wrongPINs() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      for left in [4, 3, 2, 1] {
        #expect(try await phone.validate(.possessionKnowledge, spoiling: [.knowledge]).refusal == Refusal.signature)
        #expect(try await phone.status().status.remainingAttempts == left)
      }
      #expect(try await phone.unlockVault(spoiling: [.knowledge]).answer.refusal == Refusal.signature)
      #expect(try await phone.status().status.state == .blocked)
      #expect(try await phone.validate(.possessionKnowledge).refusal == Refusal.signature)
      _ = try await app.activations.unblock(.init(rawValue: phone.id), by: .client("bank"))
      #expect(try await phone.validate(.possessionKnowledge).status == 200)
      #expect(try await phone.status().status.remainingAttempts == 5)
    }
  }

  @Test("a device may be 19 signatures ahead and not 20; wrong possession alone never counts")
  func lookAhead() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let start = try phone.device.joined().counter
      phone.device.setCounter(start.advanced(by: 19))
      #expect(try await phone.validate(.possession).status == 200)
      #expect(try await phone.status().status.counterByte == 20)
      phone.device.setCounter(start.advanced(by: 40))
      for _ in 0..<6 { #expect(try await phone.validate(.possession).refusal == Refusal.signature) }
      #expect(try await phone.status().status.remainingAttempts == 5)
      phone.device.setCounter(start.advanced(by: 20))
      #expect(try await phone.validate(.possession).status == 200)
    }
  }

  @Test("a temporary key that has ended decrypts nothing, and a blocked device still gets one")
  func temporaryKeys() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let key = try #require(try await phone.temporaryKey(ofActivation: true))
      app.clock.advance(by: .milliseconds(Int64(TemporaryKey.lifetime)))
      let (request, _) = try phone.device.encrypt(
        Data("{}".utf8), .createToken, temporaryKey: key, now: app.now)
      let body = try JSONEncoder().encode(request)
      let header = try phone.signatureHeader("/pa/token/create", over: body)
      #expect(try await phone.send(.createToken, headers: [header], body: body).refusal == Refusal.encryption)
      _ = try await app.activations.block(.init(rawValue: phone.id), by: .system)
      #expect(try await phone.temporaryKey(ofActivation: true) != nil)
      _ = try await app.activations.remove(.init(rawValue: phone.id), by: .system)
      await #expect(throws: Answer.NotWell.self) { try await phone.temporaryKey(ofActivation: true) }
    }
  }

  @Test("a device learns its name, changes it, and reads what is known about its user")
  func names() async throws {
    let claims = UserClaims { user, tenant in ["sub": .string(user), "tenant": .string(tenant)] }
    try await PowerAuthTestApp.run(claims: claims) { app in
      var phone = try await app.activePhone()
      let token = try await phone.createToken(.possessionKnowledge)
      let (asked, opener) = try await phone.sealed(Data(#"{"requestObject":{}}"#.utf8), .genericActivation)
      let detail = try await phone.send(
        .activationDetail, headers: [phone.tokenHeader(token), phone.encryptionHeader(ofActivation: true)], body: asked)
      #expect(
        try phone.open(detail, opener, as: ResponseEnvelope<ActivationDetail>.self).responseObject
          == ActivationDetail(activationId: phone.id, activationName: "My phone"))

      let plaintext = try JSONEncoder().encode(RequestEnvelope(RenameActivationRequest(activationName: "Ünother")))
      let (body, renamedOpener) = try await phone.sealed(plaintext, .genericActivation)
      let header = try phone.signatureHeader("/pa/activation/rename", .possessionBiometry, over: plaintext)
      let renamed = try await phone.send(.renameActivation, headers: [header], body: body)
      #expect(
        try phone.open(renamed, renamedOpener, as: ResponseEnvelope<ActivationDetail>.self).responseObject
          == ActivationDetail(activationId: phone.id, activationName: "Ünother"))

      // docs/api/powerauth.yaml names this status, which scripts/attack-api found undocumented.
      for name in ["", String(repeating: "x", count: 1000)] {
        let plaintext = try JSONEncoder().encode(RequestEnvelope(RenameActivationRequest(activationName: name)))
        let (body, _) = try await phone.sealed(plaintext, .genericActivation)
        let header = try phone.signatureHeader("/pa/activation/rename", .possessionBiometry, over: plaintext)
        #expect(try await phone.send(.renameActivation, headers: [header], body: body).status == 422)
      }

      let (question, infoOpener) = try await phone.sealed(Data("{}".utf8), .genericActivation)
      let info = try await phone.send(
        .userInfo, headers: [phone.encryptionHeader(ofActivation: true)], body: question)
      #expect(
        try phone.open(info, infoOpener, as: [String: JSONValue].self)
          == ["sub": .string("ada"), "tenant": .string("acme")])
    }
  }

  @Test("an unknown activation has a status of the same shape, and so has one that is removed")
  func decoy() async throws {
    try await PowerAuthTestApp.run { app in
      let phone = try await app.activePhone()
      let removed = try phone.id
      _ = try await app.activations.remove(.init(rawValue: removed), by: .system)
      for id in ["0195a1b2-aaaa-4bbb-8ccc-0000000000ff", removed] {
        let body = Data(
          (#"{"requestObject":{"activationId":"\#(id)","challenge":"AAAAAAAAAAAAAAAAAAAAAA=="}}"#).utf8)
        let one = try await phone.send(.activationStatus, body: body).object(ActivationStatusResponse.self)
        let two = try await phone.send(.activationStatus, body: body).object(ActivationStatusResponse.self)
        #expect(one.activationId == id && one.customObject == ["activationFlags": .array([])])
        #expect(Data(base64Encoded: one.encryptedStatusBlob)?.count == 32 && one.nonce != two.nonce)
        #expect(Data(base64Encoded: one.nonce ?? "")?.count == 16)
        #expect(one.encryptedStatusBlob != two.encryptedStatusBlob)
      }
      #expect(try await phone.status().status.state == .removed)
    }
  }

  @Test("signatures of GET cover the canonical query, those of PUT and DELETE the body")
  func methods() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let path = PowerAuthTestApp.base + PowerAuthEndpoint.validateSignature.rawValue
      let query = "b=2%20x&a=1&dropped&a=0"
      let canonical = Data("a=0&a=1&b=2+x".utf8)
      let get = try phone.signatureHeader("/pa/signature/validate", method: "GET", over: canonical)
      #expect(try await phone.send("\(path)?\(query)", method: .get, headers: [get]).status == 200)
      let again = try phone.signatureHeader("/pa/signature/validate", method: "GET", over: canonical)
      #expect(
        try await phone.send("\(path)?\(query)&c=3", method: .get, headers: [again]).refusal == Refusal.signature)
      let put = try phone.signatureHeader("/pa/signature/validate", method: "PUT", over: Data("{}".utf8))
      #expect(try await phone.send(path, method: .put, headers: [put], body: Data("{}".utf8)).status == 200)
      let delete = try phone.signatureHeader("/pa/signature/validate", method: "DELETE", over: Data())
      #expect(try await phone.send(path, method: .delete, headers: [delete]).status == 200)
      let posted = try phone.signatureHeader("/pa/signature/validate", method: "PUT", over: Data("{}".utf8))
      #expect(try await phone.send(path, headers: [posted], body: Data("{}".utf8)).refusal == Refusal.signature)
    }
  }
}
