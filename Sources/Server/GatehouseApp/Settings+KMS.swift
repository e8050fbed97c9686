// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import Kit

/// Which key of which PKCS#11 token wraps the key ring, if any does.
struct KMSSettings: Sendable {
  var token: PKCS11Settings?
  /// The file that the PIN was read from; nil where the setting has it.
  var pinPath: String?

  init() {}

  // What docs/reference/settings.md tells of them.
  // kms.module: path of the PKCS#11 module of the HSM whose key wraps the key ring; without it the ring is a file of
  //   plain keys
  // kms.token: label of the token
  // kms.key: label of the key
  // kms.pin: PIN of the token; either this or kms.pinFile
  // kms.pinFile: file that holds the PIN, for its owner only (0600); it goes before kms.pin

  init(_ config: ConfigReader) throws {
    guard let module = config.string(forKey: "kms.module") else { return }
    guard let token = config.string(forKey: "kms.token"), let key = config.string(forKey: "kms.key") else {
      throw SettingsError("kms.module needs kms.token and kms.key")
    }
    var pin = config.string(forKey: "kms.pin", isSecret: true)
    if let file = config.string(forKey: "kms.pinFile") {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw SettingsError("kms.pinFile names a file that \(SettingsError.unread)")
      }
      pin = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
      pinPath = file
    }
    guard let pin, !pin.isEmpty else { throw SettingsError("kms.module needs kms.pin or kms.pinFile") }
    self.token = PKCS11Settings(module: module, token: token, key: key, pin: pin)
  }
}

extension Settings {
  /// The KMS that the key ring's file is wrapped by; nil for a file of plain keys.
  /// - Throws: `KeyManagementError`.
  package func keyManagement(generates: Bool = false) throws -> KeyManagement? {
    try kms.token.map { try .pkcs11($0, generates: generates) }
  }

  /// Writes into this machine's key ring that the audit log was sealed.
  package func markAuditSealed() throws {
    try Keyring.change(at: keyringPath, kms: keyManagement()) { $0.markAuditSealed() }
  }
}
