// SPDX-License-Identifier: Apache-2.0

public import PowerAuthCore

/// The life of an activation (powerauth.md §3, §6).
extension PowerAuthSDK {
  /// Has the server make an activation for this device. It is pending then, in memory only, until `persistActivation`.
  ///
  /// Fails with `activationPending` or `invalidActivationState` unless `canStartActivation()`.
  @preconcurrency @discardableResult
  public func createActivation(
    _ activation: PowerAuthActivation,
    callback: @escaping @MainActor @Sendable (PowerAuthActivationResult?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    let order = Result { () throws(CallFailure) in try activation.placed() }
    let attempt = Session.Attempt()
    return access.start(onMain(callback)) { client in
      client.session.undoCreation(attempt)
    } _: { client in
      try await client.createActivation(order.get(), attempt)
    }
  }

  /// Has the server make an activation for this device.
  public func createActivation(_ activation: PowerAuthActivation) async throws -> PowerAuthActivationResult {
    let order = Result { () throws(CallFailure) in try activation.placed() }
    return try await access.wait { client in try await client.createActivation(order.get()) }
  }

  /// Makes the pending activation this device's, with the factors that are named. Asks no server.
  public func persistActivation(with authentication: PowerAuthAuthentication) throws {
    try access.now { try $0.persistActivation(authentication) }
  }

  /// Makes the pending activation this device's, with a password or PIN of four bytes or more.
  public func persistActivation(withPassword password: String) throws {
    try persistActivation(with: .persistWithPassword(password: password))
  }

  /// Makes the pending activation this device's, with a password or PIN of four bytes or more.
  public func persistActivation(withPassword password: PowerAuthCorePassword) throws {
    try persistActivation(with: .persistWithPassword(password: password))
  }

  /// Asks the server how the activation stands, and brings the counters together again (powerauth.md §6.1).
  @preconcurrency @discardableResult
  public func fetchActivationStatus(
    callback: @escaping @MainActor @Sendable (PowerAuthActivationStatus?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in try await client.fetchStatus() }
  }

  /// Asks the server how the activation stands.
  public func fetchActivationStatus() async throws -> PowerAuthActivationStatus {
    try await access.wait { client in try await client.fetchStatus() }
  }

  /// Has the server remove the activation, then forgets it here.
  @preconcurrency @discardableResult
  public func removeActivation(
    with authentication: PowerAuthAuthentication, callback: @escaping @MainActor @Sendable ((any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in try await client.removeActivation(authentication) }
  }

  /// Has the server remove the activation, then forgets it here.
  public func removeActivation(with authentication: PowerAuthAuthentication) async throws {
    try await access.wait { client in try await client.removeActivation(authentication) }
  }

  /// Forgets the activation and its tokens here; the server is not told.
  public func removeActivationLocal() { access.client?.removeLocal() }

  /// Asks what the server's application knows about the user.
  @preconcurrency @discardableResult
  public func fetchUserInfo(
    callback: @escaping @MainActor @Sendable (PowerAuthUserInfo?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in try await client.fetchUserInfo() }
  }

  /// Asks what the server's application knows about the user.
  public func fetchUserInfo() async throws -> PowerAuthUserInfo {
    try await access.wait { client in try await client.fetchUserInfo() }
  }

  /// Asks what runs at the server's address. Needs no activation.
  @preconcurrency @discardableResult
  public func fetchServerStatus(
    callback: @escaping @MainActor @Sendable (PowerAuthServerStatus?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in PowerAuthServerStatus(try await client.serverStatus()) }
  }

  /// Asks what runs at the server's address.
  public func fetchServerStatus() async throws -> PowerAuthServerStatus {
    try await access.wait { client in PowerAuthServerStatus(try await client.serverStatus()) }
  }
}
