// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("Telemetry: what a collector is sent", .storeless)
struct OTLPExportTests {
  /// A collector that answers as it is told, and the pauses that were made before.
  private final class Peer: Sendable {
    private struct State {
      var answers: [OTLPAnswer]
      var batches: [[Int]] = []
      var pauses: [Duration] = []
    }
    private let state: Mutex<State>
    init(_ answers: [OTLPAnswer]) { state = Mutex(State(answers: answers)) }

    /// When the answers are used up, everything is taken.
    func send(_ body: Data) -> OTLPAnswer {
      state.withLock { state in
        state.batches.append(body.map { Int($0) })
        return state.answers.isEmpty ? .taken : state.answers.removeFirst()
      }
    }
    func pause(_ time: Duration) { state.withLock { $0.pauses.append(time) } }
    var batches: [[Int]] { state.withLock { $0.batches } }
    var pauses: [Duration] { state.withLock { $0.pauses } }
  }

  private static func export(_ peer: Peer, _ metrics: OTLPMetrics) -> OTLPExport<Int> {
    OTLPExport(
      "traces", metrics: metrics, world: TestWorld().world,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      pause: { peer.pause($0) }, encode: { Data($0.map { UInt8($0 % 256) }) }, send: { peer.send($0) })
  }

  /// Runs it until that is so, and then to its end.
  private static func run(_ export: OTLPExport<Int>, until isDone: @escaping @Sendable () -> Bool) async throws {
    let group = ServiceGroup(
      configuration: .init(services: [.init(service: export)], logger: Logger(label: "test")))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      try await waitUntil("the collector has what it was sent", isDone)
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }

  private static func value(_ family: MetricFamily, _ label: String) -> Double? {
    family.samples.first { $0.labels.last?.value == label }?.value
  }

  @Test("a batch that a busy collector did not take is sent again, each time later")
  func again() async throws {
    let (peer, metrics) = (Peer([.busy, .busy, .busy]), OTLPMetrics())
    let export = Self.export(peer, metrics)
    for number in 0..<3 { export.take(number) }
    try await Self.run(export) { peer.batches.count >= 4 }
    #expect(peer.batches == Array(repeating: [0, 1, 2], count: 4))
    let pauses = peer.pauses.dropFirst()
    #expect(pauses.count == 3 && zip(pauses, pauses.dropFirst()).allSatisfy(<), "\(pauses)")
    #expect(Self.value(metrics.sent.family, "traces") == 3)
    #expect(metrics.dropped.family.samples.allSatisfy { $0.value == 0 })
  }

  @Test("what is refused, and what is busy for too long, is dropped and counted, and what follows is sent")
  func dropped() async throws {
    let attempts = OTLPExport<Int>.attemptsMax
    let (peer, metrics) = (
      Peer([.refused] + Array(repeating: .busy, count: attempts)), OTLPMetrics()
    )
    let export = Self.export(peer, metrics)
    let batch = OTLPExport<Int>.batchMax
    for number in 0..<(2 * batch + 1) { export.take(number) }
    try await Self.run(export) { peer.batches.count >= attempts + 2 }
    #expect(peer.batches.map(\.count) == Array(repeating: batch, count: attempts + 1) + [1])
    #expect(Self.value(metrics.dropped.family, "refused") == Double(batch))
    #expect(Self.value(metrics.dropped.family, "busy") == Double(batch))
    #expect(Self.value(metrics.sent.family, "traces") == 1)
  }

  @Test("what finds no place is dropped and counted, and nothing waits for the collector")
  func full() async throws {
    let (peer, metrics) = (Peer([]), OTLPMetrics())
    let export = Self.export(peer, metrics)
    let room = OTLPExport<Int>.waitingMax
    for number in 0..<(room + 7) { export.take(number) }
    #expect(Self.value(metrics.dropped.family, "full") == 7)
    try await Self.run(export) { peer.batches.count >= room / OTLPExport<Int>.batchMax }
    #expect(Self.value(metrics.sent.family, "traces") == Double(room))
  }

  @Test("a process that ends asks a busy collector once, and drops and counts the rest")
  func ending() async throws {
    let (peer, metrics) = (Peer([.busy, .busy]), OTLPMetrics())
    // A pause that ends only when the process does.
    let export = OTLPExport<Int>(
      "traces", metrics: metrics, world: TestWorld().world,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      pause: { _ in
        peer.pause(.zero)
        try await gracefulShutdown()
        throw CancellationError()
      }, encode: { Data($0.map { UInt8($0 % 256) }) }, send: { peer.send($0) })
    let count = OTLPExport<Int>.batchMax + 1
    for number in 0..<count { export.take(number) }
    try await Self.run(export) { peer.pauses.count >= 1 }
    #expect(peer.batches.count == 1)
    #expect(Self.value(metrics.dropped.family, "busy") == Double(count))
    #expect(metrics.sent.family.samples.allSatisfy { $0.value == 0 })
  }

  @Test("attempts are made over a minute and a half at most, and never more than half a minute apart")
  func backoff() {
    let world = TestWorld().world
    for _ in 0..<100 {
      let pauses = (1..<OTLPExport<Int>.attemptsMax).map { OTLPExport<Int>.backoff($0, world: world) }
      #expect(pauses.allSatisfy { $0 >= .milliseconds(750) && $0 <= .seconds(30) })
      #expect((Duration.seconds(68)...Duration.seconds(91)).contains(pauses.reduce(.zero, +)))
    }
  }

  @Test("fields are written as the guide of Protocol Buffers has them")
  func fields() {
    func bytes(_ fill: (inout ProtobufMessage) -> Void) -> [UInt8] {
      var message = ProtobufMessage()
      fill(&message)
      return Array(message.bytes)
    }
    // https://protobuf.dev/programming-guides/encoding/
    #expect(bytes { $0.varint(1, 150) } == [0x08, 0x96, 0x01])
    #expect(bytes { $0.text(2, "testing") } == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67])
    #expect(bytes { $0.message(3) { $0.varint(1, 150) } } == [0x1a, 0x03, 0x08, 0x96, 0x01])
    #expect(
      bytes { $0.choice(1, UInt64(bitPattern: -2)) }
        == [0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])
    #expect(bytes { $0.fixed64(7, 1) } == [0x39, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(bytes { $0.varint(16, 1) } == [0x80, 0x01, 0x01], "a number of two bytes")
    #expect(
      bytes {
        $0.varint(1, 0); $0.text(2, "")
      }.isEmpty, "what is not set is left out")
    #expect(
      bytes {
        $0.choice(1, ""); $0.choice(3, 0)
      } == [0x0a, 0x00, 0x18, 0x00], "but a choice is made")
  }
}
