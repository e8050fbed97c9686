// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A secure store that answers on the caller's thread, for surfaces whose calls return at once. Every store of this
/// module is one. A write that returned is durable.
public protocol DirectSecureStore: SecureStore {
  /// Names what the secrets lie in: stores of the same place, in one process, keep the same secrets. For a store that
  /// is an object the default is that object.
  var place: String { get }

  /// - Returns: nil when nothing is kept under the name.
  func read(_ name: String) throws(SecureStoreError) -> Data?

  /// Keeps the secret under the name, in place of an earlier one.
  func write(_ secret: Data, as name: String) throws(SecureStoreError)

  /// Forgets what is kept under the name; nothing happens when nothing is.
  func remove(_ name: String) throws(SecureStoreError)
}

extension DirectSecureStore where Self: AnyObject {
  /// This object, and no other.
  public var place: String { "object \(UInt(bitPattern: ObjectIdentifier(self)))" }
}
