// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

// What an erasure leaves of a row that stays: no bytes where something was sealed. In a copy that was restored the
// bytes may be there and the key not. Both read as emptied, so that sweeps, lists and the same erasure once more go on.
extension Vault {
  /// - Returns: nil for what an erasure emptied, or whose key it destroyed.
  package func kept(_ sealed: Data, context: String, in tx: any SQLTransaction) throws -> Data? {
    guard !sealed.isEmpty else { return nil }
    do { return try open(sealed, context: context, in: tx) } catch VaultError.erased { return nil }
  }

  /// - Parameter empty: what an emptied value reads as.
  package func open<Value: Decodable>(
    _ sealed: Data, or empty: @autoclosure () -> Value, context: String, in tx: any SQLTransaction
  ) throws -> Value {
    try kept(sealed, context: context, in: tx).map { try JSONDecoder().decode(Value.self, from: $0) } ?? empty()
  }
}
