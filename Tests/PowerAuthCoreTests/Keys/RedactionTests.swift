// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: secrets stay out of logs")
struct RedactionTests {
  /// Everything that a log could make of a value.
  private func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)", dumped]
  }

  @Test("no secret is printed, alone or within something")
  func redaction() throws {
    let key = try SecretKey(Data(counting: 1..<17))
    let secret = try ApplicationSecret(text: Data(counting: 1..<17).base64EncodedString())
    let code = ActivationCode(.seeded(1))
    let privateKey = ECPrivateKey(.seeded(2))
    let parameters = try ECIESParameters(
      version: .v32, identifier: .genericApplication, applicationKey: ApplicationKey(.seeded(1)),
      applicationSecret: secret)
    let keys = ActivationKeys(masterSecret: key)
    let values: [Any] = [
      key, TransportKey(key), keys, keys.signature, secret, code, try ScannedCode(text: code.text),
      RecoveryCode(code), try RecoveryPUK(text: "0123456789"), privateKey, try CounterData(Data(counting: 1..<17)),
      SignatureCounter(data: try CounterData(Data(counting: 1..<17))), parameters,
      ECIESDecryptor(parameters: parameters, privateKey: privateKey), try UnlockKey(guardedKey: key),
      NormalizedData(Data("01020304".utf8)),
      SDKConfiguration(
        applicationKey: ApplicationKey(.seeded(1)), applicationSecret: secret, masterPublicKey: privateKey.publicKey),
    ]
    let secrets = [
      secret.text, code.text, "0123456789", "01020304", "[1, 2, 3, 4", "- 1\n", "\(privateKey.scalar[0]), ",
    ]
    for value in values {
      for text in texts(of: value) {
        for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
      }
    }
  }
}
