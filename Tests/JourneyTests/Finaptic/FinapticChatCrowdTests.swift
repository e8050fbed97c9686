// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import FinapticFlow
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp
@testable import GatehouseLab

/// Sizes: `GATEHOUSE_CHAT_SESSIONS` conversations (12 unless told otherwise; the issue asks for 500).
@Suite("Finaptic chat: conversations at once", .serialized, .timeLimit(.minutes(10)))
struct FinapticChatCrowdTests {
  private static let sessions =
    ProcessInfo.processInfo.environment["GATEHOUSE_CHAT_SESSIONS"].flatMap { Int($0) } ?? 12

  @Test("on one node every word is heard once and in order")
  func oneNode() async throws {
    let (folder, made) = (try TestFolder(), try await TestDatabase.make(.current, Schema.migrations))
    var settings = Settings()
    (settings.dataFolder, settings.port, settings.logLevel) = (folder.file("data"), 0, "error")
    settings[FinapticSettings.self].limitFactor = 1_000_000
    let report = try await BenchCommand.Chat.measure(
      settings, database: made.database, sessions: Self.sessions, ChatBench(messages: 6, rate: nil) { _ in })
    #expect(report.faults == [] && report.messages == Self.sessions * 6)
    #expect(report.latencies.milliseconds.count == report.messages && report.latencies.percentile(99) > 0)
    print("chat on one node:\n\(report.table)")
  }

  @Test("a customer follows so many conversations at once, whichever they are; another one has places of their own")
  func places() async throws {
    let (folder, made) = (try TestFolder(), try await TestDatabase.make(.current, Schema.migrations))
    var settings = Settings()
    (settings.dataFolder, settings.port, settings.logLevel) = (folder.file("data"), 0, "error")
    settings[FinapticSettings.self].limitFactor = 1_000_000
    let app = try await App.open(
      settings, database: made.database, logger: settings.logger("test"), passwordCost: DemoApp.passwordCost)
    let most = ConversationPolicy.customerReadersMax
    let statuses = try await LoopbackServer.run(
      { bound in [app.server { bound.yield($0) }] }, logger: app.logger
    ) { port in
      // The last one is another customer's.
      let crowd = try await ChatCrowd.gathered(most + 2, app, tenant: 1, ports: [port], perUser: most + 1)
      return try await BlockingThreadPool("test", width: 1).run {
        var readers: [ChatReader] = []
        for session in crowd.sessions {
          readers.append(try ChatReader(port: port, request: crowd.events(session)(session.position)))
        }
        return readers.map(\.status)
      }
    }
    #expect(statuses == Array(repeating: 200, count: most) + [503, 200])
  }

  /// A connection that asked for a stream and has read the beginning of the answer; the next one comes after it.
  private final class ChatReader {
    let status: Int
    private let socket: Int32

    init(port: Int, request: [UInt8]) throws {
      let socket = try LoopbackSocket.connected(port: port)
      self.socket = socket
      var timeout = timeval(tv_sec: 120, tv_usec: 0)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
      let sent = request.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
      while sent == request.count, !bytes.contains(10) {
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      status = Int(String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    deinit { close(socket) }
  }

  @Test(
    "on three nodes, of which one is killed half-way, every word is heard once and in order",
    .enabled(if: Engine.current == .postgres && ServedProcess.program != nil, "PostgreSQL and the program"))
  func threeNodes() async throws {
    let (folder, made) = (try TestFolder(), try await TestDatabase.make(.postgres, Schema.migrations))
    var settings = Settings()
    (settings.dataFolder, settings.port, settings.logLevel) = (folder.file("data"), 0, "error")
    let app = try await App.open(
      settings, database: made.database, logger: settings.logger("test"), passwordCost: DemoApp.passwordCost)
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
    // Gathered by this process, whose passwords cost little: it is not what is measured.
    let crowd = try await LoopbackServer.run(
      { bound in [app.server { bound.yield($0) }] }, logger: app.logger
    ) { port in try await ChatCrowd.gathered(Self.sessions, app, tenant: 7, ports: [port]) }.over(ports)
    let first = KilledNode(nodes[0])
    let report = try await ChatBench(messages: 10, rate: nil) { _ in }.run(crowd) { first.kill() }
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
