// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Which servers are trusted, of those whose certificate the device's system trusts.
public enum ServerTrust: Sendable, Equatable {
  /// All of them.
  case system
  /// Servers with a certificate in their chain whose DER has one of these SHA-256 digests, 32 bytes each.
  ///
  /// Only Apple's URLSession can tell: elsewhere every request is refused as `insecure`, rather than sent to a server
  /// that was not examined.
  case pinned(Set<Data>)
  /// Servers with a public key in their chain whose SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7) has one of these
  /// SHA-256 digests, 32 bytes each: a certificate may be renewed for the same key. Elsewhere than on Apple's systems
  /// as for `pinned`.
  case pinnedKeys(Set<Data>)
}
