// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A small place for secrets on this device, by name. Live: `KeychainStore` on Apple platforms, `SealedFileStore`
/// elsewhere; `MemorySecureStore` in tests. All of these are a `DirectSecureStore`, too. A write that returned is
/// durable.
public protocol SecureStore: Sendable {
  /// - Returns: nil when nothing is kept under the name.
  func read(_ name: String) async throws(SecureStoreError) -> Data?

  /// Keeps the secret under the name, in place of an earlier one.
  func write(_ secret: Data, as name: String) async throws(SecureStoreError)

  /// Forgets what is kept under the name; nothing happens when nothing is.
  func remove(_ name: String) async throws(SecureStoreError)
}
