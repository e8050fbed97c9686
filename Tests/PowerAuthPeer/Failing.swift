// SPDX-License-Identifier: Apache-2.0

import Foundation

import PowerAuth2

/// The code that a call fails with; nil when it succeeds.
package func failure<Value>(_ work: () async throws -> Value) async -> PowerAuthErrorCode? {
  do { _ = try await work() } catch { return error.powerAuthErrorCode ?? .NA }
  return nil
}

/// The code that a call fails with; nil when it succeeds.
package func failureNow<Value>(_ work: () throws -> Value) -> PowerAuthErrorCode? {
  do { _ = try work() } catch { return error.powerAuthErrorCode ?? .NA }
  return nil
}
