import Capabilities
import FinapticFlow
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import gatehouse

/// Sizes: `GATEHOUSE_CHAT_SESSIONS` conversations (12 unless told otherwise; the issue asks for 500).
@Suite("Finaptic chat: conversations at once", .serialized, .timeLimit(.minutes(10)))
struct FinapticChatCrowdTests {
  private static let sessions =
    ProcessInfo.processInfo.environment["GATEHOUSE_CHAT_SESSIONS"].flatMap { Int($0) } ?? 12

  @Test("on one node every word is heard once and in order")
  func oneNode() async throws {
    let (folder, made) = (try TestFolder(), try await TestDatabase.make(.current))
    var settings = Settings()
    (settings.dataFolder, settings.logLevel) = (folder.file("data"), "error")
    settings.finaptic.limitFactor = 1_000_000
    let report = try await BenchCommand.Chat.measure(
      settings, database: made.database, sessions: Self.sessions, ChatBench(words: 6, rate: nil) { _ in })
    #expect(report.faults == [] && report.words == Self.sessions * 6)
    #expect(report.latencies.milliseconds.count == report.words && report.latencies.percentile(99) > 0)
    print("chat on one node:\n\(report.table)")
  }

  @Test(
    "on three nodes, of which one is killed half-way, every word is heard once and in order",
    .enabled(if: Engine.current == .postgres && ServedProcess.program != nil, "PostgreSQL and the program"))
  func threeNodes() async throws {
    let (folder, made) = (try TestFolder(), try await TestDatabase.make(.postgres))
    var settings = Settings()
    (settings.dataFolder, settings.logLevel) = (folder.file("data"), "error")
    let house = try await House.open(
      settings, database: made.database, logger: settings.logger("test"), passwordCost: DemoHouse.passwordCost)
    let nodes = try (0..<3).map { _ in
      try ServedProcess(
        graceSeconds: 0, data: folder.file("data"),
        variables: [
          "GATEHOUSE_DATABASE_URL": made.address, "GATEHOUSE_FINAPTIC_LIMIT_FACTOR": "1000000",
          "GATEHOUSE_LOG": "info",
        ])
    }
    defer { for node in nodes { node.kill() } }
    let ports = try nodes.map { node in
      defer { node.drain() }
      return Int(try node.port("listening"))
    }
    let crowd = try await ChatCrowd.gathered(Self.sessions, house, tenant: 7, ports: ports)
    let first = KilledNode(nodes[0])
    let report = try await ChatBench(words: 10, rate: nil) { _ in }.run(crowd) { first.kill() }
    #expect(report.faults == [], "\(report.table)")
    #expect(report.latencies.milliseconds.count == Self.sessions * 10)
    // A third of the listeners was at the node that went.
    #expect(report.reconnections >= Self.sessions / 3)
    print("chat on three nodes, one killed:\n\(report.table)")
  }

  /// A process that another thread ends.
  private final class KilledNode: Sendable {
    private nonisolated(unsafe) let node: ServedProcess

    init(_ node: ServedProcess) { self.node = node }

    func kill() { node.kill() }
  }
}
