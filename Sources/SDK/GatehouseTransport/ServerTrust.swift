public import Foundation

/// Which servers are believed, of those whose certificate the device's system believes.
public enum ServerTrust: Sendable, Equatable {
  /// All of them.
  case system
  /// Those with a certificate in their chain whose DER has one of these SHA-256 digests, 32 bytes each.
  ///
  /// Only Apple's URLSession can tell: elsewhere every request is refused as `insecure`, rather than sent to a server
  /// that nobody looked at.
  case pinned(Set<Data>)
}
