/// How the published faces reach the client: it may not be there, because the configuration is invalid.
final class ClientAccess: Sendable {
  private let result: Result<ActivationClient, CallFailure>

  init(
    _ configuration: PowerAuthConfiguration, _ client: PowerAuthClientConfiguration,
    _ platform: @autoclosure () -> PowerAuthPlatform
  ) {
    do throws(CallFailure) {
      let setup = try ClientSetup(configuration)
      result = .success(ActivationClient(setup: setup, platform: platform(), client: client))
    } catch {
      result = .failure(error)
    }
  }

  var client: ActivationClient? { try? result.get() }

  /// Begins a call that reports.
  func start<Value: Sendable>(
    _ report: @escaping CallTask<Value>.Report,
    _ work: @escaping @Sendable (ActivationClient) async throws -> Value
  ) -> any PowerAuthOperationTask {
    CallTask.start(report) { try await work(self.result.get()) }
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
