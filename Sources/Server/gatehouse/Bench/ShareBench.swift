import Capabilities
import Foundation
import HTTP
import Hummingbird
import Kit
import ServiceLifecycle

#if canImport(Glibc)
  import Glibc
#endif

/// How much of the throughput of a handler that does nothing `GET auth/me` reaches: token checked, session and
/// application read from the store, view encoded. The same client asks both in turns, in one process, so that its own
/// cost is in both.
struct ShareBench: Sendable {
  /// Reads of one customer, below the limit of 60 a minute.
  static let readsMax = 50
  /// Requests of one turn at most.
  static let turnMax = 6000

  let rounds: Int
  let connections: Int

  func run(_ target: BenchHouse, _ lanes: BlockingLanes) async throws -> ShareReport {
    let turn = min(Self.turnMax, target.sessions.count * Self.readsMax / (rounds + 1))
    let reads = try await requests(target)
    let empty = LoopbackConnection.request("GET /empty HTTP/1.1\r\n")
    let router = Router()
    router.get("empty") { _, _ in Response(status: .ok) }
    let house = target.house
    return try await LoopbackServer.run(
      { bound in
        [
          Application(
            router: router, server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? 0) }, logger: house.logger)
        ] as [any Service]
      }, logger: house.logger
    ) { port in
      var report = ShareReport()
      for round in 0...rounds {
        let nothing = try await ask(port, [empty], turn, lanes)
        let me = try await ask(target.port, Array(reads[..<min(turn, reads.count)]), turn, lanes)
        // The first round warms up.
        if round > 0 { report.add(empty: nothing, me: me) }
      }
      return report
    }
  }

  /// One prepared request a customer.
  private func requests(_ target: BenchHouse) async throws -> [[UInt8]] {
    var requests: [[UInt8]] = []
    for family in target.sessions {
      let token = try await target.house.parts.sessions.accessToken(for: family).token
      requests.append(
        LoopbackConnection.request("GET /api/v1/onboarding/auth/me HTTP/1.1\r\nx-access-token: \(token)\r\n"))
    }
    return requests
  }

  /// Asks so many times over all connections, going round the requests.
  private func ask(_ port: Int, _ requests: [[UInt8]], _ count: Int, _ lanes: BlockingLanes) async throws -> Turn {
    let (share, connections) = (count / connections, connections)
    let (start, processor) = (ContinuousClock.now, Self.processorSeconds(Self.ofProcess))
    let client = try await withThrowingTaskGroup(of: Double.self) { group in
      for lane in 0..<connections {
        group.addTask {
          try await lanes.run {
            let before = Self.processorSeconds(Self.ofThread)
            let connection = try LoopbackConnection(port: port)
            for number in 0..<share {
              let answer = try connection.send(requests[(lane + number * connections) % requests.count])
              guard answer.status == 200 else { throw BenchJourney.Refused(description: "GET: \(answer.status)") }
            }
            return Self.processorSeconds(Self.ofThread) - before
          }
        }
      }
      return try await group.reduce(0, +)
    }
    return Turn(
      requests: share * connections, seconds: (ContinuousClock.now - start).inSeconds,
      serverSeconds: Self.processorSeconds(Self.ofProcess) - processor - client)
  }

  /// One turn of questions.
  struct Turn: Sendable {
    let requests: Int
    let seconds: Double
    /// Processor time of this process without the client's threads.
    let serverSeconds: Double
  }

  private static let ofProcess = __rusage_who_t(RUSAGE_SELF.rawValue)
  /// RUSAGE_THREAD of getrusage(2), which glibc shows to GNU programs only.
  private static let ofThread: __rusage_who_t = 1

  private static func processorSeconds(_ who: __rusage_who_t) -> Double {
    var usage = rusage()
    getrusage(who, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
