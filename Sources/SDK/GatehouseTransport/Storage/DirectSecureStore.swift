public import Foundation

/// A secure store that answers on the caller's thread, for surfaces whose calls return at once. Every store of this
/// module is one. A write that returned is durable.
public protocol DirectSecureStore: SecureStore {
  /// - Returns: nil when nothing is kept under the name.
  func read(_ name: String) throws(SecureStoreError) -> Data?

  /// Keeps the secret under the name, in place of an earlier one.
  func write(_ secret: Data, as name: String) throws(SecureStoreError)

  /// Forgets what is kept under the name; nothing happens when nothing is.
  func remove(_ name: String) throws(SecureStoreError)
}
