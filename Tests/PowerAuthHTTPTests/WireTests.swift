// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import PowerAuthCore
import TestSupport
import Testing

/// Every message as it stands on the wire: written so, and read so, also with members that come later.
@Suite("PowerAuth: the names on the wire", .storeless)
struct WireTests {
  private func check<Message: Codable & Equatable>(_ message: Message, _ json: String) throws {
    #expect(String(decoding: try WireJSON.encode(message), as: UTF8.self) == json)
    let decoder = JSONDecoder()
    #expect(try decoder.decode(Message.self, from: Data(json.utf8)) == message)
    let later = "{\"later\":{\"a\":[1,null]}" + (json == "{}" ? "}" : "," + json.dropFirst())
    #expect(try decoder.decode(Message.self, from: Data(later.utf8)) == message)
  }

  private static let envelope = ECIESRequest(
    temporaryKeyIdentifier: "0195a1b2-aaaa-4bbb-8ccc-0000000000ff", ephemeralPublicKey: Data([2, 1]),
    encryptedData: Data([255, 254, 253]), mac: Data([1]), nonce: Data([2]), timestamp: 1_700_000_000_000)
  private static let envelopeText =
    #"{"encryptedData":"//79","ephemeralPublicKey":"AgE=","mac":"AQ==","nonce":"Ag==","#
    + #""temporaryKeyId":"0195a1b2-aaaa-4bbb-8ccc-0000000000ff","timestamp":1700000000000}"#

  @Test("envelopes, with the members that their version has")
  func envelopes() throws {
    try check(Self.envelope, Self.envelopeText)
    try check(
      ECIESRequest(ephemeralPublicKey: Data([2]), encryptedData: Data(), mac: Data([1])),
      #"{"encryptedData":"","ephemeralPublicKey":"Ag==","mac":"AQ=="}"#)
    try check(
      ECIESResponse(encryptedData: Data([1]), mac: Data([2]), nonce: Data([3]), timestamp: 4),
      #"{"encryptedData":"AQ==","mac":"Ag==","nonce":"Aw==","timestamp":4}"#)
    try check(ECIESResponse(encryptedData: Data([1]), mac: Data([2])), #"{"encryptedData":"AQ==","mac":"Ag=="}"#)
    try check(RequestEnvelope(EmptyObject()), #"{"requestObject":{}}"#)
    try check(ResponseEnvelope(EmptyObject()), #"{"responseObject":{},"status":"OK"}"#)
  }

  @Test("activation: both layers, both ways")
  func activation() throws {
    try check(
      ActivationRequest(
        type: .custom, identityAttributes: ["processId": "p"], customAttributes: ["x": .array([.null])],
        activationData: Self.envelope),
      #"{"activationData":\#(Self.envelopeText),"customAttributes":{"x":[null]},"#
        + #""identityAttributes":{"processId":"p"},"type":"CUSTOM"}"#)
    for (type, word) in [
      (ActivationType.code, "CODE"), (.custom, "CUSTOM"), (.recovery, "RECOVERY"), (.direct, "DIRECT"),
    ] { #expect(type.rawValue == word) }
    try check(
      ActivationDevice(
        devicePublicKey: "AA==", activationName: "n", extras: "e", activationOtp: "o", platform: "iOS",
        deviceInfo: "i", externalId: "x"),
      #"{"activationName":"n","activationOtp":"o","deviceInfo":"i","devicePublicKey":"AA==","externalId":"x","#
        + #""extras":"e","platform":"iOS"}"#)
    try check(
      ActivationResponse(
        activationData: ECIESResponse(encryptedData: Data(), mac: Data()), customAttributes: ["a": .integer(1)],
        userInfo: ["sub": .string("s")]),
      #"{"activationData":{"encryptedData":"","mac":""},"customAttributes":{"a":1},"userInfo":{"sub":"s"}}"#)
    try check(
      ActivatedDevice(
        activationId: "a", serverPublicKey: "k", ctrData: "c",
        activationRecovery: ActivationRecovery(recoveryCode: "r", puk: "p")),
      #"{"activationId":"a","activationRecovery":{"puk":"p","recoveryCode":"r"},"ctrData":"c","serverPublicKey":"k"}"#)
    let bare = #"{"devicePublicKey":"AA==","activationName":null,"extras":null}"#
    #expect(
      try JSONDecoder().decode(ActivationDevice.self, from: Data(bare.utf8))
        == ActivationDevice(devicePublicKey: "AA=="))
  }

  @Test("status, name and removal")
  func status() throws {
    try check(
      ActivationStatusRequest(activationId: "a", challenge: "c"), #"{"activationId":"a","challenge":"c"}"#)
    try check(
      ActivationStatusResponse(
        activationId: "a", encryptedStatusBlob: "b", nonce: "n", customObject: ["activationFlags": .array([])]),
      #"{"activationId":"a","customObject":{"activationFlags":[]},"encryptedStatusBlob":"b","nonce":"n"}"#)
    try check(ActivationReference(activationId: "a"), #"{"activationId":"a"}"#)
    try check(RenameActivationRequest(activationName: "n"), #"{"activationName":"n"}"#)
    try check(ActivationDetail(activationId: "a", activationName: "n"), #"{"activationId":"a","activationName":"n"}"#)
  }

  @Test("signatures, tokens, vault, keys, time and recovery")
  func services() throws {
    try check(ValidateSignatureRequest.validatePassword, #"{"reason":"VALIDATE_PASSWORD"}"#)
    try check(ValidateSignatureRequest.counterSynchronization, #"{"reason":"COUNTER_SYNCHRONIZATION"}"#)
    try check(CreatedToken(tokenId: "t", tokenSecret: "s"), #"{"tokenId":"t","tokenSecret":"s"}"#)
    try check(TokenReference(tokenId: "t"), #"{"tokenId":"t"}"#)
    try check(UnlockVaultRequest(.addBiometry), #"{"reason":"ADD_BIOMETRY"}"#)
    try check(
      UnlockVaultResponse(encryptedVaultEncryptionKey: "k"), #"{"encryptedVaultEncryptionKey":"k"}"#)
    try check(TemporaryKeyMessage(jwt: "j"), #"{"jwt":"j"}"#)
    try check(
      ServerStatus(serverTime: 1, application: .init(name: "n", version: "v")),
      #"{"application":{"name":"n","version":"v"},"serverTime":1}"#)
    try check(ConfirmRecoveryRequest(recoveryCode: "r"), #"{"recoveryCode":"r"}"#)
    try check(ConfirmRecoveryResponse(alreadyConfirmed: true), #"{"alreadyConfirmed":true}"#)
    try check(
      ResponseEnvelope(PowerAuthFailure(code: "C", message: "M", currentRecoveryPukIndex: 2), status: .error),
      #"{"responseObject":{"code":"C","currentRecoveryPukIndex":2,"message":"M"},"status":"ERROR"}"#)
  }
}
