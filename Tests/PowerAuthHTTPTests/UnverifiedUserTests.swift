// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import HTTPTypes
import Kit
import PowerAuthCore
import Testing
import TestSupport

@Suite("PowerAuth: proofs of users who are not verified yet")
struct UnverifiedUserTests {
  private static let flagged = JSONValue.string("ACTIVATION_FLAGGED")

  @Test(
    """
    a signature, a token, an offline signature and one by the device's key are not valid in any version of the protocol \
    unless the caller accepts the flag by name
    """, arguments: ProtocolVersion.allCases, PowerAuthTestApp.verification.sorted())
  func verdicts(version: ProtocolVersion, flag: String) async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      var phone = try await app.activePhone(version, flags: ["VIP", flag])
      let other = try #require(PowerAuthTestApp.verification.first { $0 != flag })
      let spellings = ["VIP", other, flag.lowercased(), "\(flag) ", "*", ""]
      let refusals: [JSONValue?] =
        [nil, .null, .array([]), .array(spellings.map(JSONValue.string))]
      let token = try await phone.createToken(.possessionKnowledge)
      for accepted in refusals + [.array([.string(flag)])] {
        let isAccepted = accepted == .array([.string(flag)])
        let more = accepted.map { ["accepted_flags": $0] } ?? [:]
        let signature = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data("pay".utf8)).1
        let signed = try await bank.post(
          "signatures/verify",
          [
            "method": .string("POST"), "uri_id": .string("/pay"),
            "body": .string(Data("pay".utf8).base64EncodedString()),
            "header": .string(signature),
          ].merging(more) { $1 })
        #expect(signed.status == 200 && signed.json?["valid"] == .bool(isAccepted), "\(more)")
        #expect(signed.json?["reason"] == (isAccepted ? nil : Self.flagged))
        #expect(signed.json?["activation"]?["flags"] == .array([.string("VIP"), .string(flag)]))

        let shown = try await bank.post(
          "tokens/verify", ["header": .string(try phone.tokenHeader(token).1)].merging(more) { $1 })
        #expect(shown.json?["valid"] == .bool(isAccepted))
        #expect(shown.json?["reason"] == (isAccepted ? nil : Self.flagged))

        let nonce = Data(count: 16)
        let digits = try phone.device.signOffline(
          .possessionKnowledge, uriID: "/operation/authorize/offline", nonce: nonce, data: Data("pay".utf8))
        let typed = try await bank.post(
          "offline/verify",
          [
            "activation_id": .string(try phone.id), "nonce": .string(nonce.base64EncodedString()),
            "data": .string("pay"),
            "signature": .string(digits),
          ].merging(more) { $1 })
        #expect(typed.json?["valid"] == .bool(isAccepted))
        #expect(typed.json?["reason"] == (isAccepted ? nil : Self.flagged))

        let contract = Data("a contract".utf8)
        let byKey = try await bank.post(
          "device-signatures/verify",
          [
            "activation_id": .string(try phone.id), "data": .string(contract.base64EncodedString()),
            "signature": .string(try phone.device.privateKey.signature(for: contract).base64EncodedString()),
          ].merging(more) { $1 })
        #expect(byKey.json?["valid"] == .bool(isAccepted))
        #expect(byKey.json?["reason"] == (isAccepted ? nil : Self.flagged))
      }
    }
  }

  @Test("who accepts one flag takes no proof of a device that has the other one too")
  func bothFlags() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      let flags = PowerAuthTestApp.verification.sorted()
      var phone = try await app.activePhone(flags: flags)
      for accepted in [[flags[0]], [flags[1]], flags] {
        let header = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data()).1
        let verdict = try await bank.post(
          "signatures/verify",
          [
            "method": .string("POST"), "uri_id": .string("/pay"), "header": .string(header),
            "accepted_flags": .array(accepted.map(JSONValue.string)),
          ])
        #expect(verdict.json?["valid"] == .bool(accepted == flags), "\(accepted)")
      }
    }
  }

  @Test("a refused signature was spent: it is not valid later, and a repetition of the call has the same answer")
  func spent() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      var phone = try await app.activePhone(flags: ["VERIFICATION_PENDING"])
      let header = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data()).1
      let call: [String: JSONValue] = ["method": .string("POST"), "uri_id": .string("/pay"), "header": .string(header)]
      let key = "0195a1b2-aaaa-4bbb-8ccc-00000000f1a6"
      let refused = try await bank.post("signatures/verify", call, key: key)
      #expect(refused.json?["reason"] == Self.flagged && refused.json?["remaining_attempts"] == .integer(5))
      _ = try await bank.post("activations/\(try phone.id)/flags/set", ["flags": .array([])])
      #expect(try await bank.post("signatures/verify", call, key: key).body == refused.body)
      let again = try await bank.post("signatures/verify", call)
      #expect(again.json?["valid"] == .bool(false) && again.json?["reason"] == nil)
      let next = try phone.signatureHeader("/pay", .possessionKnowledge, over: Data()).1
      let verified = try await bank.post("signatures/verify", call.merging(["header": .string(next)]) { $1 })
      #expect(verified.json?["valid"] == .bool(true))
    }
  }

  @Test("what the released apps do before the verification still works; a recovery code is not taken into use")
  func devices() async throws {
    try await PowerAuthTestApp.run { app in
      let bank = try await BackEnd(app)
      var phone = try await app.activePhone(flags: ["VERIFICATION_IN_PROGRESS"])
      #expect(try await phone.validate(.possessionKnowledge).status == 200)
      #expect(try await phone.unlockVault().answer.status == 200)
      _ = try await phone.createToken()
      let issued = try await bank.post(
        "recovery-codes",
        [
          "application_id": .string(app.release.application.id.rawValue), "user_id": .string("ada"),
          "puk_count": .integer(1),
        ])
      let code = try #require(issued.json?["recovery_code"]?.stringValue)
      func confirm() async throws -> Answer {
        try await phone.own(
          .confirmRecovery, .confirmRecoveryCode, .possessionKnowledge,
          JSONEncoder().encode(ConfirmRecoveryRequest(recoveryCode: code)), as: ConfirmRecoveryResponse.self
        ).answer
      }
      #expect(try await confirm().refusal == "401 ERR_AUTHENTICATION POWER_AUTH_REQUEST_INVALID")
      _ = try await bank.post("activations/\(try phone.id)/flags/set", ["flags": .array([])])
      #expect(try await confirm().status == 200)
    }
  }

  @Test("a device that recovers an unverified one is unverified itself")
  func recovered() async throws {
    try await PowerAuthTestApp.run(issuesRecoveryCodes: true) { app in
      let bank = try await BackEnd(app)
      let started = try await app.activations.initiate(
        InitiateActivation(
          application: app.release.application.id, user: "ada", commitsItself: true,
          flags: ["VIP", "VERIFICATION_PENDING"]), by: .system)
      var old = app.phone()
      try await old.activate(.code, ["code": started.code.text])
      let recovery = try #require(try old.device.joined().recovery)
      var new = app.phone()
      try await new.activate(.recovery, ["recoveryCode": recovery.recoveryCode, "puk": recovery.puk])
      let committed = try await bank.post("activations/\(try new.id)/commit")
      #expect(committed.json?["flags"] == .array([.string("VERIFICATION_PENDING")]))
      let header = try new.signatureHeader("/pay", .possessionKnowledge, over: Data()).1
      let verdict = try await bank.post(
        "signatures/verify", ["method": .string("POST"), "uri_id": .string("/pay"), "header": .string(header)])
      #expect(verdict.json?["valid"] == .bool(false) && verdict.json?["reason"] == Self.flagged)
    }
  }
}
