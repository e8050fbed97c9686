// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Values that take long to make, made once in a run.
final class Cache<Value: Sendable>: Sendable {
  private let values = Mutex<[String: Value]>([:])

  func get(_ name: String, make: () throws -> Value) throws -> Value {
    if let value = values.withLock({ $0[name] }) { return value }
    let value = try make()
    values.withLock { $0[name] = value }
    return value
  }
}
