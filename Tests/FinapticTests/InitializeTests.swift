// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Testing

@testable import Finaptic

@Suite("Finaptic: initialising")
struct InitializeTests {
  private let server = PlayedServer()

  @Test("the documents are there at once, from the configuration")
  func documents() async throws {
    let client = try await server.sdk().onboardingClient
    #expect(client.getConsentTermsOfUse().documentType == "CONSENT_TYPE_TERMS_OF_USE_OF_APP")
    #expect(client.getConsentElectronicCommunication().documentType == "CONSENT_TYPE_ELECTRONIC_COMMUNICATION")
    #expect(client.getConsentPrivacyPolicy().documentType == "CONSENT_TYPE_PRIVACY_POLICY")
    let agreement = client.getConsentProductAgreement()
    #expect(agreement.documentType == "CONSENT_TYPE_PRODUCT_AGREEMENT" && agreement.neededBeforeValidation)
    #expect(agreement.documentNameAndVersion == "https://bank.example/CONSENT_TYPE_PRODUCT_AGREEMENT/1")
    #expect(server.requests.map { "\($0.method) \($0.url.path)" } == ["GET /finaptic/v1/configuration"])
    #expect(server.requests.first?.headers["x-client-key"] == "ck-7")
  }

  @Test(
    "an invalid key is refused before anything is sent",
    arguments: [
      "", "  ", "no base64!", "bm90IGpzb24=", Data("[]".utf8).base64EncodedString(), key(#"{}"#),
      key(#"{"v":2,"env":"sandbox","tenantId":1,"baseUrl":"https://b.ca","clientKey":"k"}"#),
      key(#"{"v":1,"env":"test","tenantId":1,"baseUrl":"https://b.ca","clientKey":"k"}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":0,"baseUrl":"https://b.ca","clientKey":"k"}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":10000,"baseUrl":"https://b.ca","clientKey":"k"}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":1,"baseUrl":"http://b.ca","clientKey":"k"}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":1,"baseUrl":"https://b.ca","clientKey":""}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":1,"baseUrl":"https://b.ca","clientKey":"a\nb"}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":1,"baseUrl":"https://b.ca","clientKey":"k","pins":["sha256/AA=="]}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":1,"baseUrl":"https://b.ca","clientKey":"k","chatUrl":"ws://b.ca"}"#),
      key(#"{"v":1,"env":"sandbox","tenantId":1,"baseUrl":"https://u:p@b.ca","clientKey":"k"}"#),
    ])
  func badKeys(text: String) async {
    let error = await failure { try await FinapticSDK.make(sdkKey: text, options: server.options()) }
    #expect(error?.code == .invalidArgument && server.requests.isEmpty, "\(text)")
  }

  @Test("clear text is taken for this machine, unknown members are ignored, and a key reads back as it was written")
  func goodKeys() throws {
    let local = try FinapticSDKKey(
      Self.key(
        #"""
        {"v":1,"env":"production","tenantId":9999,"baseUrl":"http://127.0.0.1:8080","clientKey":"k",
         "chatUrl":"ws://localhost:1","pins":[],"syncOnboarding":true}
        """#))
    #expect(local.environment == .production && local.pins.isEmpty && local.chatURL?.port == 1)
    var full = PlayedServer.key
    full.pins = [Data(repeating: 7, count: 32), Data(repeating: 8, count: 32)]
    full.authURL = URL(string: "https://auth.bank.example")
    for key in [local, full, PlayedServer.key] { #expect(try FinapticSDKKey(key.text + "\n") == key) }
  }

  @Test("whatever is done to a key, it is read or refused", arguments: 0..<200)
  func fuzz(seed: Int) {
    var bytes = Array(PlayedServer.key.text.utf8)
    let at = (seed * 7919) % bytes.count
    switch seed % 3 {
    case 0: bytes[at] = UInt8(truncatingIfNeeded: seed * 31)
    case 1: bytes.removeSubrange(at...)
    default: bytes.insert(contentsOf: [0x41, 0x3D, 0x00], at: at)
    }
    guard let key = try? FinapticSDKKey(String(decoding: bytes, as: UTF8.self)) else { return }
    #expect((try? FinapticSDKKey(key.text)) == key)
  }

  @Test("a key that the server does not know, no network, a slow one, half a configuration")
  func failures() async {
    var half = PlayedServer.configuration
    half.consents.removeLast()
    for (answer, code) in [
      (PlayedServer.refuse(.unauthenticated), FinapticErrorCode.unauthenticated),
      (PlayedServer.fail(.unreachable), .unavailable), (PlayedServer.fail(.timedOut), .deadlineExceeded),
      (PlayedServer.ok(half), .unknown), (PlayedServer.ok(EmptyBody()), .unknown),
    ] {
      server.play(FinapticAPI.configurationPath, [answer])
      let error = await failure { try await FinapticSDK.make(sdkKey: PlayedServer.key.text, options: server.options()) }
      #expect(error?.code == code)
    }
  }

  @Test("the first success is the only instance, whatever is asked for afterwards; failures leave none")
  func once() async throws {
    let instances = FinapticInstances()
    func initialize(_ key: String) async throws -> FinapticSDK {
      let options = server.options()
      return try await withCheckedContinuation { done in
        instances.initialize(sdkKey: key, options: options) { done.resume(returning: $0) }
      }.get()
    }
    await #expect(throws: FinapticError.self) { try await initialize("") }
    server.play(FinapticAPI.configurationPath, [PlayedServer.ok(PlayedServer.configuration)])
    let key = PlayedServer.key.text
    async let left = initialize(key)
    async let right = initialize(key)
    let pair = try await (left, right)
    #expect(pair.0 === pair.1)
    #expect(try await initialize("no key") === pair.0)
  }

  private static func key(_ json: String) -> String { Data(json.utf8).base64EncodedString() }
}
