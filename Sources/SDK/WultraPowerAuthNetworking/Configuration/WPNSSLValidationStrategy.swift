// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import GatehouseTransport

/// Which servers are trusted, of those whose certificate the system trusts. No other server can be trusted.
public enum WPNSSLValidationStrategy: Sendable, Equatable {
  /// All of them.
  case `default`
  /// Servers with a certificate in their chain whose DER has one of these SHA-256 digests, 32 bytes each. On Apple's
  /// systems only: elsewhere every request is refused with `network_sslError`.
  case pinned(_ digests: Set<Data>)

  var trust: ServerTrust {
    switch self {
    case .default: .system
    case .pinned(let digests): .pinned(digests)
    }
  }
}
