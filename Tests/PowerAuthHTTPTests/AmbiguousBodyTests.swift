// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: JSON that readers take for different things")
struct AmbiguousBodyTests {
  @Test("a signed body is refused in it, whatever the signature says")
  func signed() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let token = try await phone.createToken()
      let body = #"{"requestObject":{"tokenId":"\#(token.tokenId)"}}"#
      func remove(_ bytes: Data) async throws -> Answer {
        let header = try phone.signatureHeader("/pa/token/remove", over: bytes)
        return try await phone.send(.removeToken, headers: [header], body: bytes)
      }
      for form in AmbiguousJSON.forms(of: body) {
        #expect(try await remove(form.bytes).refusal == "400 INVALID_REQUEST INVALID_REQUEST", "\(form.name)")
      }
      #expect(try await remove(Data(body.utf8)).status == 200)
    }
  }

  @Test("an envelope is refused in it")
  func envelope() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      for place in AmbiguousJSON.forms(of: #"{"a":1}"#).indices {
        let (body, _) = try await phone.sealed(Data("{}".utf8), .createToken)
        let form = AmbiguousJSON.forms(of: String(decoding: body, as: UTF8.self))[place]
        let header = try phone.signatureHeader("/pa/token/create", over: form.bytes)
        let answer = try await phone.send(.createToken, headers: [header], body: form.bytes)
        #expect(answer.refusal == Refusal.encryption, "\(form.name)")
      }
      _ = try await phone.createToken()
    }
  }

  @Test("what an envelope holds is refused in it")
  func plaintext() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      for form in AmbiguousJSON.forms(of: #"{"reason":"FETCH_ENCRYPTION_KEY"}"#) {
        let (vault, _) = try await phone.own(
          .unlockVault, .vaultUnlock, .possessionKnowledge, form.bytes, as: UnlockVaultResponse.self)
        #expect(vault.refusal == "400 ERR_SECURE_VAULT POWER_AUTH_SECURE_VAULT_INVALID", "\(form.name)")
      }
      #expect(try await phone.unlockVault().answer.status == 200)
    }
  }
}
