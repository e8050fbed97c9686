import Foundation

@testable import PowerAuth2

/// The code that a call fails with; nil when it succeeds.
func failure<Value>(_ work: () async throws -> Value) async -> PowerAuthErrorCode? {
  do { _ = try await work() } catch { return error.powerAuthErrorCode ?? .NA }
  return nil
}

/// The code that a call fails with; nil when it succeeds.
func failureNow<Value>(_ work: () throws -> Value) -> PowerAuthErrorCode? {
  do { _ = try work() } catch { return error.powerAuthErrorCode ?? .NA }
  return nil
}
