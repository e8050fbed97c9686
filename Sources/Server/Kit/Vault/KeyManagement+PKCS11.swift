// SPDX-License-Identifier: Apache-2.0

import CPKCS11
import Foundation
import Synchronization

/// Where a key of a PKCS#11 token is.
package struct PKCS11Settings: Sendable {
  /// The library of the device's maker.
  package var module: String
  package var token: String
  package var key: String
  package var pin: String

  package init(module: String, token: String, key: String, pin: String) {
    (self.module, self.token, self.key, self.pin) = (module, token, key, pin)
  }
}

extension KeyManagement {
  /// An AES key of a PKCS#11 token, such as an HSM's. Nonce, ciphertext and tag of AES-256-GCM, made in the device.
  /// - Parameter generates: makes the key when the token has none of the name; it cannot be read out of the token.
  /// - Throws: `KeyManagementError`.
  package static func pkcs11(_ settings: PKCS11Settings, generates: Bool = false) throws -> KeyManagement {
    let key = try PKCS11Key(settings, generates: generates)
    return KeyManagement(
      name: "pkcs11:\(settings.token)/\(settings.key)",
      wrap: { bytes, context in
        try key.call(bytes, context, size: bytes.count + Int(CPKCS11_OVERHEAD), cpkcs11_seal)
      },
      unwrap: { wrapped, context in
        guard wrapped.count >= Int(CPKCS11_OVERHEAD) else { throw KeyManagementError.notWrapped }
        return try key.call(wrapped, context, size: wrapped.count - Int(CPKCS11_OVERHEAD), cpkcs11_unseal)
      })
  }
}

/// A session with the token, one call at a time.
private final class PKCS11Key: Sendable {
  typealias Call = (
    OpaquePointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?,
    UnsafeMutablePointer<UInt>?
  ) -> cpkcs11_outcome

  private let settings: PKCS11Settings
  private let key: Mutex<OpaquePointer>

  init(_ settings: PKCS11Settings, generates: Bool) throws {
    var (opened, status) = (OpaquePointer?.none, UInt(0))
    let outcome = cpkcs11_open(
      settings.module, settings.token, settings.key, settings.pin, generates, &opened, &status)
    guard outcome == CPKCS11_OK, let opened else { throw Self.error(outcome, status, settings) }
    self.settings = settings
    key = Mutex(opened)
  }

  deinit { key.withLock { cpkcs11_close($0) } }

  func call(_ bytes: Data, _ context: String, size: Int, _ body: Call) throws -> Data {
    var (output, status) = ([UInt8](repeating: 0, count: size), UInt(0))
    let (context, bytes) = (Array(context.utf8), Array(bytes))
    let outcome = key.withLock { body($0, context, context.count, bytes, bytes.count, &output, &status) }
    guard outcome == CPKCS11_OK else { throw Self.error(outcome, status, settings) }
    return Data(output)
  }

  private static func error(
    _ outcome: cpkcs11_outcome, _ status: UInt, _ settings: PKCS11Settings
  ) -> KeyManagementError {
    switch outcome {
    case CPKCS11_NO_MODULE: .noModule(settings.module)
    case CPKCS11_NO_TOKEN: .noToken(settings.token)
    case CPKCS11_LOGIN: .login
    case CPKCS11_LAST_TRY: .lastTry
    case CPKCS11_NO_KEY: .noKey(settings.key)
    case CPKCS11_NOT_SEALED: .notWrapped
    default: .failed(status)
    }
  }
}
