// SPDX-License-Identifier: Apache-2.0

import Delivery
import Demonstration
import Foundation
import GatehouseApp
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import ServiceLifecycle

/// How much of the throughput of a handler that does nothing `GET auth/me` reaches: token checked, session and state
/// of the application asked of the store, view answered. The same client asks all in turns, in one process, so that its
/// own cost is in each.
struct ShareBench: Sendable {
  /// Reads of one customer, below the limit of 60 a minute.
  static let readsMax = 50
  /// Requests of one turn at most.
  static let turnMax = 6000

  /// What is asked. Those in the middle say where the time goes.
  enum Handler: String, CaseIterable, Sendable {
    /// Answers and does nothing.
    case empty
    /// Does nothing either, behind all that a request of the product passes: measured, logged, its answer's headers.
    case live
    /// Checks the access token and nothing else.
    case token
    /// Asks the store one trivial question and nothing else.
    case look
    case me
  }

  let rounds: Int
  let connections: Int

  func run(_ target: BenchApp, _ threads: BlockingThreadPool) async throws -> ShareReport {
    let turn = min(Self.turnMax, target.sessions.count * Self.readsMax / (rounds + 1))
    let reads = try await requests(target)
    let empty = LoopbackConnection.request("GET /empty HTTP/1.1\r\n")
    let look = LoopbackConnection.request("GET /look HTTP/1.1\r\n")
    let app = target.app
    let router = Self.router(app)
    return try await LoopbackServer.run(
      { bound in
        [
          Application(
            router: router, server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? 0) }, logger: app.logger)
        ] as [any Service]
      }, logger: app.logger
    ) { port in
      var report = ShareReport()
      // No request came before: what an app costs that comes back once.
      report.first = try await ask(target.port, reads.me, min(turn, reads.me.count), threads).perSecond
      for round in 0...rounds {
        for handler in Handler.allCases {
          let (port, requests) =
            switch handler {
            case .empty: (port, [empty])
            case .live: (target.port, reads.live)
            case .token: (port, reads.token)
            case .look: (port, [look])
            case .me: (target.port, reads.me)
            }
          let done = try await ask(port, Array(requests[..<min(turn, requests.count)]), turn, threads)
          // The first round warms up.
          if round > 0 { report.add(done, of: handler) }
        }
      }
      return report
    }
  }

  private static func router(_ app: App) -> Router<BasicRequestContext> {
    let router = Router()
    router.get("empty") { _, _ in Response(status: .ok) }
    let (sessions, database, header) = (app.rubix.sessions, app.database, HTTPField.Name("x-access-token"))
    router.get("token") { request, _ in
      let token = header.flatMap { request.headers[$0] } ?? ""
      _ = try await sessions.verify(token, tenant: "default")
      return Response(status: .ok)
    }
    router.get("look") { _, _ in
      _ = try await database.query("SELECT 1 AS one")
      return Response(status: .ok)
    }
    return router
  }

  /// Prepared requests, one a customer.
  private func requests(_ target: BenchApp) async throws -> (me: [[UInt8]], live: [[UInt8]], token: [[UInt8]]) {
    var requests: (me: [[UInt8]], live: [[UInt8]], token: [[UInt8]]) = ([], [], [])
    for family in target.sessions {
      let token = try await target.app.rubix.sessions.accessToken(for: family).token
      func request(_ path: String) -> [UInt8] {
        LoopbackConnection.request("GET \(path) HTTP/1.1\r\nx-access-token: \(token)\r\n")
      }
      requests.me.append(request("/api/v1/onboarding/auth/me"))
      requests.live.append(request("/health/live"))
      requests.token.append(request("/token"))
    }
    return requests
  }

  /// Asks so many times over all connections, going round the requests.
  private func ask(_ port: Int, _ requests: [[UInt8]], _ count: Int, _ threads: BlockingThreadPool) async throws -> Turn
  {
    let (share, connections) = (count / connections, connections)
    let (start, processor) = (ContinuousClock.now, ProcessorTime.ofProcess)
    let client = try await withThrowingTaskGroup(of: Double.self) { group in
      for thread in 0..<connections {
        group.addTask {
          try await threads.run {
            let before = ProcessorTime.ofThread
            let connection = try LoopbackConnection(port: port)
            for number in 0..<share {
              let answer = try connection.send(requests[(thread + number * connections) % requests.count])
              guard answer.status == 200 else { throw BenchJourney.Refused(description: "GET: \(answer.status)") }
            }
            return ProcessorTime.ofThread - before
          }
        }
      }
      return try await group.reduce(0, +)
    }
    return Turn(
      requests: share * connections, seconds: (ContinuousClock.now - start).inSeconds,
      serverSeconds: ProcessorTime.ofProcess - processor - client, clientSeconds: client)
  }

  /// One turn of questions.
  struct Turn: Sendable {
    let requests: Int
    let seconds: Double
    /// Processor time of this process without the client's threads.
    let serverSeconds: Double
    let clientSeconds: Double

    var perSecond: Double { Double(requests) / seconds }
  }
}
