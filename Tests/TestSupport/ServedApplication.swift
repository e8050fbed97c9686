// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Hummingbird
import HummingbirdTesting

extension ApplicationProtocol {
  /// Serves on a port of this machine for as long as a test acts, in place of `test(.live)`.
  ///
  /// A cancelled server drops connections that it has accepted and not begun to serve, at which NIO ends the process
  /// ("Deinited NIOAsyncWriter without calling finish()"), and all other tests with it. `test(.live)` cancels its server
  /// with the test, as a time limit does, and whenever the test throws. Here only the test's own part is cancelled; the
  /// server then stops in order: it takes no more connections, and serves those that it has. What still holds it up
  /// after ten seconds is cancelled, so that a test that failed does not hold up the run.
  /// - Parameter setup: `.ahc(.https)` for a server with TLS.
  package func serve<Value: Sendable>(
    _ setup: TestingSetup = .live, _ act: @escaping @Sendable (any TestClientProtocol) async throws -> Value
  ) async throws -> Value {
    let (clients, listening) = AsyncStream.makeStream(of: (any TestClientProtocol).self)
    let acting = Task {
      for await client in clients { return try await act(client) }
      throw CancellationError()
    }
    let serving = Task {
      defer { listening.finish() }
      try await test(setup) { client in
        listening.yield(client)
        _ = await acting.result
      }
    }
    @Sendable func cancelLater() { DispatchQueue.global().asyncAfter(deadline: .now() + 10) { serving.cancel() } }
    return try await withTaskCancellationHandler {
      let result = await acting.result
      if case .failure = result { cancelLater() }
      let end = await serving.result
      let value = try result.get()
      try end.get()
      return value
    } onCancel: {
      acting.cancel()
      // What the test waits for may be an answer of the server, which no cancellation of the test's ends.
      cancelLater()
    }
  }
}
