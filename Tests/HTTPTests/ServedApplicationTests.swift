// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

/// With `test(.live)` NIO ends the process of all tests within a few rounds (decision 280).
@Suite("Servers of tests: a test that ends early ends alone", .storeless, .timeLimit(.minutes(5)))
struct ServedApplicationTests {
  private struct Gone: Error {}

  private static func app() -> some ApplicationProtocol {
    let router = Router()
    router.get("fine") { _, _ in "fine" }
    return Application(router: router, logger: LogRecorder().logger)
  }

  @Test("a test gets its answers, and what it returns is returned")
  func served() async throws {
    let text = try await Self.app().serve { client in
      String(buffer: try await client.execute(uri: "/fine", method: .get).body)
    }
    #expect(text == "fine")
  }

  @Test("one that throws just after it connected throws, and no more than that")
  func thrown() async throws {
    for _ in 0..<20 {
      await #expect(throws: Gone.self) {
        try await Self.app().serve { client in
          _ = try await RawClient(try #require(client.port))
          throw Gone()
        }
      }
    }
  }

  @Test("one that is cancelled while its client connects learns of it, and its server ends")
  func cancelled() async throws {
    for _ in 0..<20 {
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let test = Task {
        try await Self.app().serve { _ in
          begin.yield()
          await waitUntilCancelled()
          try Task.checkCancellation()
        }
      }
      for await _ in begun { break }
      test.cancel()
      await #expect(throws: CancellationError.self) { try await test.value }
    }
  }
}
