// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: signatures")
struct SignatureTests {
  @Test("every combination of factors is accepted by the server", arguments: [ProtocolVersion.v32, .v33])
  func factors(version: ProtocolVersion) async throws {
    let phone = Phone(version)
    let sdk = try await phone.activated(biometry: true)
    try phone.sign(sdk, .possession())
    try phone.sign(sdk, .possessionWithPassword(Phone.pin))
    try phone.sign(sdk, .possessionWithBiometry(prompt: "Pay"))
    try phone.sign(sdk, .possessionWithBiometry())
    try phone.sign(sdk, .persistWithPasswordAndBiometry(password: Phone.pin))
    #expect(
      phone.peer.signatures.map(\.type) == [
        .possession, .possessionKnowledge, .possessionBiometry, .possessionBiometry, .possessionKnowledgeBiometry,
      ])
    #expect(phone.peer.signatures.compactMap(\.counter) == [0, 1, 2, 3, 4])
    #expect(phone.finger.prompts == ["Pay", nil, nil])
  }

  @Test("a wrong PIN makes a signature like any other: only the server can tell")
  func wrongPin() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let header = try sdk.requestSignature(
      with: .possessionWithPassword(Phone.wrongPin), method: "POST", uriId: "/x", body: nil)
    #expect(header.key == "X-PowerAuth-Authorization")
    #expect(throws: Refusal.self) {
      try phone.peer.verify(header.value, method: "POST", uriId: "/x", body: Data())
    }
    #expect(phone.peer.activation(sdk.activationIdentifier)?.failedAttempts == 1)
    try phone.sign(sdk)
    #expect(phone.peer.activation(sdk.activationIdentifier)?.failedAttempts == 0)
  }

  @Test("a query is signed in its one form, whatever the order of its pairs")
  func query() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let header = try sdk.requestGetSignature(with: .possession(), uriId: "/list", params: ["b": "2 ~", "a": "1"])
    try phone.peer.verify(header.value, method: "GET", uriId: "/list", body: Data("a=1&b=2+%7E".utf8))
    let none = try sdk.requestGetSignature(with: .possession(), uriId: "/list", params: nil)
    try phone.peer.verify(none.value, method: "GET", uriId: "/list", body: Data())
    #expect(phone.peer.signatures.map(\.ahead) == [0, 0])
  }

  @Test("an offline signature is digits of the length that the configuration says", arguments: [4, 6, 8])
  func offline(digits: Int) async throws {
    let phone = Phone()
    let sdk = try await phone.activated { $0.offlineSignatureComponentLength = digits }
    let nonce = Data(repeating: 5, count: 16)
    let body = Data("A1*CZ65*10".utf8)
    let text = try sdk.offlineSignature(
      with: .possessionWithPassword(Phone.pin), uriId: "/operation/authorize/offline", body: body,
      nonce: nonce.base64EncodedString())
    #expect(text.split(separator: "-").map(\.count) == [digits, digits])
    let identifier = try #require(sdk.activationIdentifier)
    try phone.peer.verifyOffline(
      text, .possessionKnowledge, of: identifier, uriId: "/operation/authorize/offline", body: body, nonce: nonce,
      digits: digits)
    #expect(
      failureNow { try sdk.offlineSignature(with: .possession(), uriId: "/o", body: nil, nonce: "AA==") }
        == .wrongParameter)
    #expect(phone.peer.signatures.count == 1)
    try phone.sign(sdk)
    #expect(phone.peer.signatures.last?.ahead == 0)
  }

  @Test("what cannot be signed uses up no counter")
  func refused() async throws {
    let phone = Phone()
    #expect(failureNow { try phone.sign(phone.start()) } == .missingActivation)
    let sdk = try await phone.activated()
    let sign = { (authentication: PowerAuthAuthentication, uriId: String) in
      failureNow { try sdk.requestSignature(with: authentication, method: "POST", uriId: uriId, body: nil) }
    }
    #expect(sign(.possession(), "") == .wrongParameter)
    #expect(sign(.possessionWithPassword("123"), "/x") == .wrongParameter)
    #expect(sign(.possessionWithPassword(String(repeating: "1", count: 1025)), "/x") == .wrongParameter)
    #expect(sign(.possessionWithBiometry(), "/x") == .biometryFailed)
    try phone.sign(sdk)
    #expect(phone.peer.signatures == [SeenSignature(type: .possessionKnowledge, counter: 0, ahead: 0)])
  }

  @Test("what a server signed is recognised, and nothing else")
  func serverSigned() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let data = Data("offline data".utf8)
    let personal = try #require(phone.peer.activation(sdk.activationIdentifier)).privateKey
    let (byMaster, byServer) = (
      try phone.peer.masterKey.signature(for: data).base64EncodedString(),
      try personal.signature(for: data).base64EncodedString()
    )
    #expect(sdk.verifyServerSignedData(data, signature: byMaster, masterKey: true))
    #expect(sdk.verifyServerSignedData(data, signature: byServer, masterKey: false))
    #expect(!sdk.verifyServerSignedData(data, signature: byServer, masterKey: true))
    #expect(!sdk.verifyServerSignedData(Data(), signature: byMaster, masterKey: true))
    #expect(!sdk.verifyServerSignedData(data, signature: "?", masterKey: true))
  }
}
