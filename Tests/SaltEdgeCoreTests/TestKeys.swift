import SaltEdgeCore

/// Keys of our own, so that the suites that need no folder run without one.
enum TestKeys {
  private static let keys = Cache<RSAPrivateKey>()

  static func device() throws -> RSAPrivateKey { try keys.get("device") { try .generate() } }
  static func bank() throws -> RSAPrivateKey { try keys.get("bank") { try .generate() } }
}
