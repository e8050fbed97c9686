public import Foundation

/// Secrets in memory, gone with the process: for tests.
public actor MemorySecureStore: SecureStore {
  private var secrets: [String: Data]

  /// Creates a store, with something in it if wanted.
  public init(_ secrets: [String: Data] = [:]) { self.secrets = secrets }

  /// - Returns: nil when nothing is kept under the name.
  public func read(_ name: String) -> Data? { secrets[name] }

  /// Keeps the secret.
  public func write(_ secret: Data, as name: String) { secrets[name] = secret }

  /// Forgets the secret.
  public func remove(_ name: String) { secrets[name] = nil }
}
