// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: JSON that readers take for different things")
struct AmbiguousBodyTests {
  private static func forms(of body: Data) -> [AmbiguousJSON] {
    AmbiguousJSON.forms(of: String(decoding: body, as: UTF8.self))
  }

  @Test("v2 refuses it to a device and to a bank, also when it is signed")
  func v2() async throws {
    try await SaltEdgeTestApp.run { app in
      let (device, waiting) = try await DeviceV2.asked(app)
      for place in Self.forms(of: Data("{\"a\":1}".utf8)).indices {
        var name = ""
        let decided = try await device.decide(waiting.id, code: "code-1") { headers, body in
          let form = Self.forms(of: body)[place]
          (name, body) = (form.name, form.bytes)
          headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: device.key)
        }
        #expect(decided.refusal == "400 WrongRequestFormat", "\(name)")
        let action = try app.bank.action("a-2", user: "u-1", connections: [device.connection])
        let asked = try await app.bankCalls(.post, "actions", action) { headers, body in
          body = Self.forms(of: body)[place].bytes
          headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: app.bank.key)
        }
        #expect(asked.refusal == "400 WrongRequestFormat", "\(name)")
      }
      #expect(try await device.authorizations().map(\.id) == [waiting.id])
      #expect(try await app.owedOfDecisions().isEmpty)
      #expect(try await device.decide(waiting.id, code: "code-1").status == 200)
    }
  }

  @Test("no device is connected by it, in v1 and in v2")
  func connecting() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      let v1 = SaltEdge.Body(
        data: SaltEdgeV1.Connect(
          publicKey: key.publicKey.pem, returnURL: ReturnRedirect.returnURL, platform: "ios", pushToken: "",
          providerCode: "hosted", connectQuery: nil))
      for form in Self.forms(of: try WireJSON.encode(v1)) {
        // So that the limit of attempts lets each of them in.
        app.clock.advance(by: .minutes(1))
        let answer = try await app.call(
          .post, "\(DeviceV1.base)/api/authenticator/v1/connections", body: form.bytes)
        #expect(answer.refusal == "400 WrongRequestFormat", "\(form.name)")
      }
      let bundle = try EncryptedPayload(
        encrypting: Data(key.publicKey.pem.utf8), for: RSAPublicKey(pem: app.remote.publicKey),
        randomness: Randomness(app.clock.world.random))
      let v2 = SaltEdge.Body(
        data: SaltEdgeV2.Connect(
          providerID: .init(app.remote.id.rawValue), returnURL: ReturnRedirect.returnURL, platform: "ios",
          pushToken: nil, connectQuery: nil,
          encryptedPublicKey: .init(key: bundle.key, iv: bundle.iv, data: bundle.data)))
      for form in Self.forms(of: try WireJSON.encode(v2)) {
        app.clock.advance(by: .minutes(1))
        let answer = try await app.call(.post, "/api/authenticator/v2/connections", body: form.bytes)
        #expect(answer.refusal == "400 WrongRequestFormat", "\(form.name)")
      }
    }
  }

  @Test("no decision of v1 is taken in it")
  func v1() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      _ = try await app.api(.post, "authorizations", ProviderAPITests.payment)
      let entity = try #require(try await device.authorizations().first)
      let (id, code) = (try #require(entity.id).text, try #require(try device.read(entity).code))
      let path = "authorizations/\(id)"
      let body = #"{"data":{"confirm":true,"authorization_code":"\#(code)"}}"#
      for form in Self.forms(of: Data(body.utf8)) {
        let answer = try await device.send(.put, path, body: body) { headers, bytes in
          bytes = form.bytes
          let request = SignedRequest(
            method: "PUT", url: "\(SaltEdgeTestApp.address)\(DeviceV1.base)/api/authenticator/v1/\(path)",
            expiresAtSeconds: app.clock.now.seconds + 300, body: bytes)
          headers["Signature"] = try? request.signature(with: device.key)
        }
        #expect(answer.refusal == "400 WrongRequestFormat", "\(form.name)")
      }
      #expect(try await device.send(.put, path, body: body).status == 200)
    }
  }
}
