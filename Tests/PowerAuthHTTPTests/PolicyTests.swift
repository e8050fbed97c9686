// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import HTTPTypes
import Kit
import PowerAuthCore
import Testing
import TestSupport

@Suite("PowerAuth: what an operator decides about versions and recovery")
struct PolicyTests {
  private static let tooLow = "400 ERR_VERSION POWER_AUTH_VERSION_TOO_LOW"

  @Test("an application takes 3.1 and later unless told otherwise, and shows it")
  func standard() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let other = try await app.activations.applications.add("Other", tenant: "acme", by: .system)
      let shown = try await bank.call(.get, "applications").json?["applications"]?.arrayValue ?? []
      let versions = shown.compactMap { $0["protocol_version_min"]?.stringValue }
      #expect(versions.sorted() == ["3.0", "3.1"])
      for version in ProtocolVersion.allCases {
        let started = try await app.activations.initiate(
          InitiateActivation(application: other.application.id, user: "ada", commitsItself: true), by: .system)
        var phone = Phone(
          app: app,
          device: TestDevice(configuration: other.configuration, version: version, random: app.clock.world.random))
        let (answer, _) = try await phone.createActivation(.code, ["code": started.code.text])
        if version == .v30 {
          #expect(answer.refusal == Self.tooLow)
          #expect(try await app.activations.find(started.activation.id).state == .created)
        } else {
          #expect(answer.status == 200)
        }
        phone.device.version = .v30
        #expect(try await phone.createActivation(.code, ["code": started.code.text]).0.refusal == Self.tooLow)
      }
    }
  }

  @Test("an app that names itself is told which versions its devices may speak")
  func told() async throws {
    try await PowerAuthTestApp.run { app in
      func versions(_ body: String) async throws -> [String]? {
        let answer = try await app.phone().send(.serverStatus, body: Data(body.utf8))
        #expect(answer.status == 200)
        return answer.json?["responseObject"]?["protocolVersions"]?.arrayValue?.compactMap(\.stringValue)
      }
      let named = #"{"requestObject":{"applicationKey":"\#(app.release.version.applicationKey.text)"}}"#
      #expect(try await versions(named) == ["3.0", "3.1", "3.2", "3.3"])
      _ = try await app.activations.applications.setProtocolMin(.v32, of: app.release.application.id, by: .system)
      #expect(try await versions(named) == ["3.2", "3.3"])
      // As published SDKs ask, and a caller that is no app.
      let unknown = #"{"requestObject":{"applicationKey":"AAAAAAAAAAAAAAAAAAAAAA=="}}"#
      for body in ["", "{}", unknown, #"{"requestObject":{"applicationKey":1}}"#] {
        #expect(try await versions(body) == nil, "\(body)")
      }
      _ = try await app.activations.applications.setSupported(false, version: app.release.version.id, by: .system)
      #expect(try await versions(named) == nil)
    }
  }

  @Test(
    "devices below the lowest version are told so by every proof, which counts nothing; those above are served",
    arguments: [ProtocolVersion.v31, .v32, .v33])
  func raised(lowest: ProtocolVersion) async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let words = try Phone.words("hello")
      for version in ProtocolVersion.allCases {
        _ = try await app.activations.applications.setProtocolMin(.v30, of: app.release.application.id, by: .system)
        var phone = try await app.activePhone(version)
        let token = try await phone.createToken()
        _ = try await app.activations.applications.setProtocolMin(lowest, of: app.release.application.id, by: .system)
        let before = try await app.traces()
        let validated = try await phone.validate(.possessionKnowledge)
        let shown = try await phone.send("/app/token", headers: [phone.tokenHeader(token)], body: words)
        let own = try await phone.unlockVault().answer
        let (body, _) = try await phone.sealed(words, .genericActivation)
        let sealed = try await phone.send(
          "/app/activation", headers: [phone.encryptionHeader(ofActivation: true)], body: body)
        let answers = [validated, shown, own, sealed]
        guard version < lowest else {
          #expect(answers.map(\.status) == [200, 200, 200, 200], "\(version)")
          continue
        }
        #expect(answers.map(\.refusal) == Array(repeating: Self.tooLow, count: 4), "\(version)")
        let header = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data()).1
        let verdict = try await bank.post(
          "signatures/verify",
          ["method": .string("POST"), "uri_id": .string("/pay"), "header": .string(header)])
        let tokenVerdict = try await bank.post(
          "tokens/verify", ["header": .string(try phone.tokenHeader(token).1)])
        for answer in [verdict, tokenVerdict] {
          #expect(
            answer.json == .object(["valid": .bool(false), "reason": .string("PROTOCOL_TOO_OLD")]), "\(version)")
        }
        #expect(try await app.traces() == before)
        // Which version a device joined with does not matter, only what it speaks.
        if version == .v32, lowest == .v33 {
          phone.device.version = .v33
          #expect(try await phone.validate(.possessionKnowledge).status == 200)
        }
      }
    }
  }

  private static var keeping: ActivationPolicy {
    var policy = ActivationPolicy.standard
    policy.recoveryKeepsOldDevice = true
    return policy
  }

  @Test("a recovered device takes the old one's place on its commit where the policy says so")
  func keepsOld() async throws {
    try await PowerAuthTestApp.run(policy: Self.keeping, issuesRecoveryCodes: true) { app in
      let bank = try await BackEnd(app)
      var old = try await app.activePhone()
      let written = try #require(try old.device.joined().recovery)
      var new = app.phone()
      try await new.activate(.recovery, ["recoveryCode": written.recoveryCode, "puk": written.puk])
      #expect(try await new.status().status.state == .pendingCommit)
      #expect(try await old.validate(.possessionKnowledge).status == 200)
      // The PUK was used: the code gives no second device.
      let (again, _) = try await app.phone().createActivation(
        .recovery, ["recoveryCode": written.recoveryCode, "puk": written.puk])
      #expect(again.refusal == Refusal.activation)
      #expect(try await bank.post("activations/\(try new.id)/commit").json?["state"] == .string("ACTIVE"))
      #expect(try await old.status().status.state == .removed)
      #expect(try await old.validate(.possessionKnowledge).refusal == Refusal.signature)
      #expect(try await new.validate(.possessionKnowledge).status == 200)
      let lines = try await bank.call(.get, "activations/\(try old.id)/history").json?["lines"]?.arrayValue ?? []
      #expect(lines.last?["action"] == .string("activation.replaced"))
    }
  }

  @Test("the old device stays when the new one is never committed, and blocks no commit when it has gone")
  func neverCommitted() async throws {
    try await PowerAuthTestApp.run(policy: Self.keeping, issuesRecoveryCodes: true) { app in
      let bank = try await BackEnd(app)
      for isRemovedFirst in [false, true] {
        var old = try await app.activePhone()
        let written = try #require(try old.device.joined().recovery)
        var new = app.phone()
        try await new.activate(.recovery, ["recoveryCode": written.recoveryCode, "puk": written.puk])
        if isRemovedFirst {
          _ = try await bank.post("activations/\(try old.id)/remove")
          #expect(try await bank.post("activations/\(try new.id)/commit").json?["state"] == .string("ACTIVE"))
        } else {
          app.clock.advance(by: .minutes(6))
          try await app.activations.sweepLapsed()
          #expect(try await new.status().status.state == .removed)
          #expect(try await old.validate(.possessionKnowledge).status == 200)
        }
      }
    }
  }
}
