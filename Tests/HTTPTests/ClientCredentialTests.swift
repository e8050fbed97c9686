// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: credentials of other servers", .storeless)
struct ClientCredentialTests {
  private struct Plain: Dialect {
    func response(for problem: Problem, path: String, correlationID: String) -> Response {
      Response(status: problem.status)
    }
  }

  /// Takes its time until as many as it waits for are there.
  private final class Checks: Sendable {
    private let state = Mutex<(count: Int, waiting: [CheckedContinuation<Void, Never>], isOpen: Bool)>((0, [], false))

    var count: Int { state.withLock { $0.count } }

    func check(_ secret: String) async -> String? {
      await withCheckedContinuation { waiter in
        let isOpen = state.withLock { state in
          state.count += 1
          if !state.isOpen { state.waiting.append(waiter) }
          return state.isOpen
        }
        if isOpen { waiter.resume() }
      }
      return secret == "right" ? "client" : nil
    }

    func release() {
      let waiting = state.withLock { state in
        defer { (state.waiting, state.isOpen) = ([], true) }
        return state.waiting
      }
      for waiter in waiting { waiter.resume() }
    }
  }

  private final class Revocable: Sendable {
    private let state = Mutex(false)

    var isRevoked: Bool { state.withLock { $0 } }

    func revoke() { state.withLock { $0 = true } }
  }

  private static let limit = CredentialMiddleware<String>.refusals

  private static func run(
    _ checks: Checks, _ play: @escaping @Sendable (TestWorld, any TestClientProtocol) async throws -> Void
  ) async throws {
    let (clock, router) = (TestWorld(), Router(context: PublicContext.self))
    router.add(middleware: CorrelationMiddleware(world: clock.world))
    router.add(middleware: ClientAddressMiddleware(header: .xForwardedFor))
    router.add(middleware: RateLimitMiddleware())
    router.add(middleware: ProblemMiddleware(dialect: Plain()))
    let group = router.group("").clients(at: "x", world: clock.world) { _, secret in await checks.check(secret) }
    group.get("") { _, context in context.client }
    try await Application(router: router).test(.router) { try await play(clock, $0) }
  }

  private static func ask(
    _ client: any TestClientProtocol, _ secret: String, from address: String = "192.0.2.1"
  ) async throws -> TestResponse {
    let basic = Data("id:\(secret)".utf8).base64EncodedString()
    return try await client.execute(
      uri: "/x", method: .get, headers: [.authorization: "Basic \(basic)", .init("X-Forwarded-For")!: address])
  }

  @Test("tries side by side do not pass the limit: each is counted before it is checked")
  func sideBySide() async throws {
    let checks = Checks()
    try await Self.run(checks) { clock, client in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<Self.limit.count + 40 {
          group.addTask { try await Self.ask(client, "wrong").status.code }
        }
        var statuses: [Int] = []
        // Those who are refused unchecked come back first.
        while statuses.count < 40, let status = try await group.next() { statuses.append(status) }
        #expect(statuses.allSatisfy { $0 == 429 } && checks.count <= Self.limit.count)
        checks.release()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(checks.count == Self.limit.count)
      #expect(statuses.count == Self.limit.count && statuses.allSatisfy { $0 == 401 })
      let late = try await Self.ask(client, "right")
      #expect(late.status == .tooManyRequests)
      #expect(late.headers[RateLimitMiddleware.limit]?.hasPrefix("\"back-end-refusals\";r=0") == true)
      #expect(try await Self.ask(client, "right", from: "192.0.2.2").status == .ok)
      clock.advance(by: .minutes(1))
      #expect(try await Self.ask(client, "right").status == .ok)
    }
  }

  /// A body may take ten seconds, and a client be revoked in them.
  @Test(
    "a body that came for longer than a second is taken only if its client may call still",
    arguments: [(isRevoked: true, status: HTTPResponse.Status.unauthorized), (false, .noContent)])
  func slowBody(isRevoked: Bool, status: HTTPResponse.Status) async throws {
    let (clock, client, router) = (TestWorld(), Revocable(), Router(context: PublicContext.self))
    router.add(middleware: ProblemMiddleware(dialect: Plain()))
    router.add(
      middleware: EachBodyPiece<PublicContext> {
        clock.advance(by: .seconds(2))
        if isRevoked { client.revoke() }
      })
    let group = router.group("").clients(at: "x", world: clock.world) { _, _ in client.isRevoked ? nil : "client" }
    group.post("") { request, context in
      _ = try await RequestContent(request, limit: 100)
      return Response(status: try await context.isStillProved() ? .noContent : .internalServerError)
    }
    try await Application(router: router).test(.router) { caller in
      let answer = try await caller.execute(
        uri: "/x", method: .post, headers: [.authorization: "Basic \(Data("id:right".utf8).base64EncodedString())"],
        body: ByteBuffer(string: "{}"))
      #expect(answer.status == status)
    }
  }

  @Test("who has the secret is not counted, and hears of no limit")
  func right() async throws {
    let checks = Checks()
    checks.release()
    try await Self.run(checks) { _, client in
      for _ in 0..<Self.limit.count + 40 {
        let answer = try await Self.ask(client, "right")
        #expect(answer.status == .ok && answer.headers[RateLimitMiddleware.limit] == nil)
      }
    }
  }
}
