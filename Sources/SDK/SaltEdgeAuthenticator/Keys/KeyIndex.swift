// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

/// Of which connections keys may lie in the store: an entry beside the book of connections, so that a wipe finds every
/// key also when the book cannot be read any more (specification §10.4).
struct KeyIndex: Sendable {
  private static let name = "saltedge.keys"

  let store: any DirectSecureStore

  /// - Returns: the guids of the connections; none when the index cannot be read either.
  func load() throws(AuthenticatorError) -> Set<String> {
    do throws(SecureStoreError) {
      guard let data = try store.read(Self.name) else { return [] }
      return (try? WireJSON.decode([String].self, from: data)).map(Set.init) ?? []
    } catch {
      guard error.code == .tampered else { throw AuthenticatorError(error) }
      return []
    }
  }

  /// When this returns the index is durable. An empty one leaves nothing behind.
  func keep(_ guids: Set<String>) throws(AuthenticatorError) {
    do throws(SecureStoreError) {
      guard !guids.isEmpty else { return try store.remove(Self.name) }
      guard let data = try? WireJSON.encode(guids.sorted()) else { throw SecureStoreError(.unavailable) }
      guard try store.read(Self.name) != data else { return }
      try store.write(data, as: Self.name)
    } catch { throw AuthenticatorError(error) }
  }
}
