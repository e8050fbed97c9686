// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The port for a KMS: wraps the keys of the key ring under a key that another device or service keeps and never shows.
/// The ring's file alone opens nothing then, and the device is asked only when a process reads or writes the ring.
package struct KeyManagement: Sendable {
  /// Says where the key is, for people; it stands in the ring's file.
  package let name: String
  /// - Parameter context: is authenticated, so that a wrapped key does not pass for another one.
  package let wrap: @Sendable (_ key: Data, _ context: String) throws -> Data
  package let unwrap: @Sendable (_ wrapped: Data, _ context: String) throws -> Data

  package init(
    name: String, wrap: @escaping @Sendable (_ key: Data, _ context: String) throws -> Data,
    unwrap: @escaping @Sendable (_ wrapped: Data, _ context: String) throws -> Data
  ) {
    (self.name, self.wrap, self.unwrap) = (name, wrap, unwrap)
  }
}

/// What a KMS refused.
package enum KeyManagementError: Error, Sendable, Equatable {
  /// The library of the device cannot be loaded.
  case noModule(String)
  case noToken(String)
  /// The PIN was refused.
  case login
  /// A wrong PIN would lock the device for every node, or has: none was tried.
  case lastTry
  /// The device has no key of that name, or several.
  case noKey(String)
  /// The bytes were not wrapped under this key, or were changed.
  case notWrapped
  /// Anything else, with the number that the device gives.
  case failed(UInt)
}

extension KeyManagementError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noModule(let path): "\(path) cannot be loaded as a PKCS#11 module."
    case .noToken(let label): "The PKCS#11 module has no token with the label \(label)."
    case .login: "The PKCS#11 token refuses the PIN."
    case .lastTry:
      "The PKCS#11 token takes one more PIN, or none, so that none was tried. Sign in once with the tools of its maker."
    case .noKey(let label): "The PKCS#11 token has no AES key with the label \(label), or several."
    case .notWrapped: "The key ring or the epoch key was not wrapped under the key of this token, or was changed."
    case .failed(let status): "The PKCS#11 module failed with the status \(status)."
    }
  }
}
