import SaltEdgeCore
import Synchronization

/// Keys take long to make: each is made once in a run.
enum TestKeys {
  private static let made = Mutex<[String: RSAPrivateKey]>([:])

  static func named(_ name: String) throws -> RSAPrivateKey {
    if let key = made.withLock({ $0[name] }) { return key }
    let key = try RSAPrivateKey.generate()
    return made.withLock { keys in
      if let other = keys[name] { return other }
      keys[name] = key
      return key
    }
  }

  static func bank() throws -> RSAPrivateKey { try named("bank") }
  static func device() throws -> RSAPrivateKey { try named("device") }
}
