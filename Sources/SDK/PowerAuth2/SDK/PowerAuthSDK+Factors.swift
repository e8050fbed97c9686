// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import PowerAuthCore

/// Password, biometry and external key (powerauth.md §3.5, §9).
extension PowerAuthSDK {
  // MARK: Password

  /// Has the server say whether this is the password. A wrong one counts.
  @preconcurrency @discardableResult
  public func validatePassword(
    password: String, callback: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    validatePassword(password: PowerAuthCorePassword(string: password), callback: callback)
  }

  /// Has the server say whether this is the password. A wrong one counts.
  @preconcurrency @discardableResult
  public func validatePassword(
    password: PowerAuthCorePassword, callback: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    let password = password.unchanging
    return access.start(onMain(callback)) { client in try await client.validatePassword(password) }
  }

  /// Has the server say whether this is the password. A wrong one counts.
  public func validatePassword(password: String) async throws {
    try await access.wait { client in try await client.validatePassword(PowerAuthCorePassword(string: password)) }
  }

  /// Changes the password once the server has confirmed the old one.
  @preconcurrency @discardableResult
  public func changePassword(
    from oldPassword: String, to newPassword: String, callback: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    changePassword(
      from: PowerAuthCorePassword(string: oldPassword), to: PowerAuthCorePassword(string: newPassword),
      callback: callback)
  }

  /// Changes the password once the server has confirmed the old one.
  @preconcurrency @discardableResult
  public func changePassword(
    from oldPassword: PowerAuthCorePassword, to newPassword: PowerAuthCorePassword,
    callback: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    let (old, new) = (oldPassword.unchanging, newPassword.unchanging)
    return access.start(onMain(callback)) { client in try await client.changePassword(from: old, to: new) }
  }

  /// Changes the password once the server has confirmed the old one.
  public func changePassword(from oldPassword: String, to newPassword: String) async throws {
    let (old, new) = (PowerAuthCorePassword(string: oldPassword), PowerAuthCorePassword(string: newPassword))
    try await access.wait { client in try await client.changePassword(from: old, to: new) }
  }

  /// Changes the password here, trusting that the old one is right: if it is not, the factor is lost.
  /// - Returns: false when nothing was changed.
  public func unsafeChangePassword(from oldPassword: String, to newPassword: String) -> Bool {
    unsafeChangePassword(
      from: PowerAuthCorePassword(string: oldPassword), to: PowerAuthCorePassword(string: newPassword))
  }

  /// Changes the password here, trusting that the old one is right: if it is not, the factor is lost.
  /// - Returns: false when nothing was changed.
  public func unsafeChangePassword(from oldPassword: PowerAuthCorePassword, to newPassword: PowerAuthCorePassword)
    -> Bool
  {
    (try? access.now { try $0.changePasswordUnsafely(from: oldPassword, to: newPassword) }) != nil
  }

  // MARK: Biometry

  /// Whether the activation has a biometric factor whose key is there.
  public func hasBiometryFactor() -> Bool { access.client?.hasBiometryFactor ?? false }

  /// Gives the activation a biometric factor, with the server's help.
  @preconcurrency @discardableResult
  public func addBiometryFactor(
    password: String, callback: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    addBiometryFactor(password: PowerAuthCorePassword(string: password), callback: callback)
  }

  /// Gives the activation a biometric factor, with the server's help.
  @preconcurrency @discardableResult
  public func addBiometryFactor(
    password: PowerAuthCorePassword, callback: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    let password = password.unchanging
    return access.start(onMain(callback)) { client in try await client.addBiometry(password) }
  }

  /// Gives the activation a biometric factor, with the server's help.
  public func addBiometryFactor(password: String) async throws {
    try await access.wait { client in try await client.addBiometry(PowerAuthCorePassword(string: password)) }
  }

  /// Takes the biometric factor away.
  /// - Returns: false when there was none, or it could not be taken away.
  @discardableResult
  public func removeBiometryFactor() -> Bool { (try? access.now { try $0.removeBiometry() }) != nil }

  /// Asks the user for biometry once, for several signatures. Keep what you get for as long as these take, and no
  /// longer; do not go on after the server has refused one.
  @preconcurrency @discardableResult
  public func authenticateUsingBiometry(
    withPrompt prompt: String,
    callback: @escaping @MainActor @Sendable (PowerAuthAuthentication?, (any Error)?) -> Void
  ) -> any PowerAuthOperationTask {
    access.start(onMain(callback)) { client in
      try await client.unlockBiometryAhead(.possessionWithBiometry(prompt: prompt))
    }
  }

  /// Asks the user for biometry once, for several signatures.
  public func authenticateUsingBiometry(withPrompt prompt: String) async throws -> PowerAuthAuthentication {
    try await access.wait { client in
      try await client.unlockBiometryAhead(.possessionWithBiometry(prompt: prompt))
    }
  }

  // MARK: External encryption key

  /// Whether a key of the app's own locks password and biometry once more.
  public var hasExternalEncryptionKey: Bool { access.client?.session.activation?.record.usesExternalKey ?? false }

  /// Hands in the key that locks the activation, or the one that shall lock the next one: 16 bytes.
  public func setExternalEncryptionKey(_ externalEncryptionKey: Data) throws {
    try access.now { try $0.setExternalKey(externalEncryptionKey) }
  }

  /// Locks password and biometry once more: 16 bytes.
  public func addExternalEncryptionKey(_ externalEncryptionKey: Data) throws {
    try access.now { try $0.addExternalKey(externalEncryptionKey) }
  }

  /// Locks password and biometry with the external key no more.
  public func removeExternalEncryptionKey() throws { try access.now { try $0.removeExternalKey() } }
}
