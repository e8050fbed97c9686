// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport

/// A device's store as another process opens it: the same secrets, and nothing in memory that both know of.
package final class ReopenedStore: DirectSecureStore {
  private let store: any DirectSecureStore

  package init(_ store: any DirectSecureStore) { self.store = store }

  package func read(_ name: String) throws(SecureStoreError) -> Data? { try store.read(name) }
  package func write(_ secret: Data, as name: String) throws(SecureStoreError) { try store.write(secret, as: name) }
  package func remove(_ name: String) throws(SecureStoreError) { try store.remove(name) }
}
