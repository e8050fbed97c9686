// SPDX-License-Identifier: Apache-2.0

/// How the published faces reach the client: it may not be there, because the configuration is invalid.
final class ClientAccess: Sendable {
  /// Nil when the configuration is invalid.
  let platform: PowerAuthPlatform?
  private let result: Result<ActivationClient, CallFailure>

  init(
    _ configuration: PowerAuthConfiguration, _ client: PowerAuthClientConfiguration,
    _ platform: @autoclosure () -> PowerAuthPlatform
  ) {
    do throws(CallFailure) {
      let setup = try ClientSetup(configuration)
      let platform = platform()
      self.platform = platform
      result = .success(ActivationClient(setup: setup, platform: platform, client: client))
    } catch {
      self.platform = nil
      result = .failure(error)
    }
  }

  var client: ActivationClient? { try? result.get() }

  /// Begins a call that reports.
  /// - Parameter undo: what cancelling undoes.
  func start<Value: Sendable>(
    _ report: @escaping CallTask<Value>.Report, undo: @escaping @Sendable (ActivationClient) -> Void = { _ in },
    _ work: @escaping @Sendable (ActivationClient) async throws -> Value
  ) -> any PowerAuthOperationTask {
    CallTask.start(report) {
      self.client.map(undo)
    } _: {
      try await work(self.result.get())
    }
  }

  /// Makes a call that is waited for.
  /// - Throws: `NSError`.
  func wait<Value: Sendable>(_ work: @Sendable (ActivationClient) async throws -> Value) async throws -> Value {
    do { return try await work(result.get()) } catch { throw CallFailure(error, otherwise: .NA).nsError }
  }

  /// Makes a call that answers at once.
  /// - Throws: `NSError`.
  func now<Value>(_ work: (ActivationClient) throws -> Value) throws -> Value {
    do { return try work(result.get()) } catch { throw CallFailure(error, otherwise: .NA).nsError }
  }
}
