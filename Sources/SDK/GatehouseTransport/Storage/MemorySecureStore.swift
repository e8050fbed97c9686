// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Locks

/// Secrets in memory, gone with the process: for tests.
public final class MemorySecureStore: DirectSecureStore {
  private let secrets: Guarded<[String: Data]>
  private let changedAt: Date?

  /// Creates a store, with something in it if wanted.
  public convenience init(_ secrets: [String: Data] = [:]) { self.init(secrets, changedAt: nil) }

  /// - Parameter changedAt: when all of it was written, for those who ask.
  package init(_ secrets: [String: Data], changedAt: Date?) {
    self.secrets = Guarded(secrets)
    self.changedAt = changedAt
  }

  /// Everything that is kept, by name.
  public var contents: [String: Data] { secrets.withLock { $0 } }

  /// - Returns: nil when nothing is kept under the name.
  public func read(_ name: String) -> Data? { secrets.withLock { $0[name] } }

  /// Keeps the secret.
  public func write(_ secret: Data, as name: String) { secrets.withLock { $0[name] = secret } }

  /// Forgets the secret.
  public func remove(_ name: String) { secrets.withLock { $0[name] = nil } }
}

extension MemorySecureStore: PersistentSecureStore {
  package func lastChange() -> Date? { changedAt }

  package func mayBeShared() -> Bool { false }

  package func removeAll(except name: String) { secrets.withLock { $0 = $0.filter { $0.key == name } } }
}
