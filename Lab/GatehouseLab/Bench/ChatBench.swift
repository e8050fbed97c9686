// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseApp
import Kit
import Synchronization

/// Conversations at once: each side says something in turn, and every customer hears it over a stream of their own, which
/// is there before the first message. What is measured is the time from before a message is sent to when it is heard.
struct ChatBench: Sendable {
  /// Messages of one conversation, of both sides.
  let messages: Int
  /// Messages a second over all conversations; nil sends them as fast as possible.
  let rate: Int?
  let say: @Sendable (String) -> Void

  /// Threads that send.
  private static let speakers = 4
  /// How long the listeners have after the last message.
  private static let hearingMax = Duration.seconds(60)

  struct Report: Sendable {
    var sessions = 0
    var messages = 0
    var seconds = 0.0
    var latencies = Latencies()
    var reconnections = 0
    var repetitions = 0
    /// What was not heard once and in order; nothing.
    var faults: [String] = []

    var table: String {
      let lines = [
        "sessions              \(sessions)", "messages              \(messages) in \(Int(seconds)) s",
        "send to receive, p50  \(milliseconds(50)) ms", "send to receive, p99  \(milliseconds(99)) ms",
        "connections again     \(reconnections)", "requests again        \(repetitions)",
      ]
      return (lines + faults.prefix(20).map { "✗ \($0)" }).joined(separator: "\n")
    }

    private func milliseconds(_ percent: Double) -> String {
      String(format: "%.1f", latencies.percentile(percent))
    }
  }

  /// - Parameter midway: what happens when half is said.
  func run(_ crowd: ChatCrowd, midway: @escaping @Sendable () -> Void = {}) async throws -> Report {
    let (count, messages) = (crowd.sessions.count, messages)
    let score = Score(count * messages)
    let threads = BlockingThreadPool("chat", width: Self.speakers + 1)
    let heard = try await withThrowingTaskGroup(of: Heard?.self) { group in
      group.addTask {
        try await threads.run { listen(crowd, score) }
      }
      for speaker in 0..<Self.speakers {
        group.addTask {
          try await threads.run {
            let line = ChatCrowd.Line(crowd.ports, first: speaker)
            let begin = score.awaitStart()
            for message in 0..<messages {
              for session in stride(from: speaker, to: count, by: Self.speakers) {
                if let rate { Self.wait(until: begin + .seconds(1) * (message * count + session) / rate) }
                let (place, id) = (session * messages + message, World.live.randomUUID())
                score.begin(place)
                try crowd.say(message, in: crowd.sessions[session], id: id, line)
                if score.end() == count * messages / 2 { midway() }
              }
            }
            score.add(repetitions: line.repetitions)
          }
          return nil
        }
      }
      var heard: Heard?
      do {
        for try await one in group {
          if let one { heard = one }
          if score.isWhole { score.close() }
        }
      } catch {
        score.close()
        throw error
      }
      return heard
    }
    var report = Report(sessions: count, messages: count * messages)
    report.seconds = (World.live.ticks() - score.awaitStart()).inSeconds
    report.repetitions = score.repetitions
    guard let heard else { return report }
    report.reconnections = heard.reconnections
    if !heard.areGathered { report.faults.append("a listener was missing at the first message") }
    check(heard.sessions, score.sent, &report)
    return report
  }

  private struct Heard: Sendable {
    let sessions: [[ChatReaders.Heard]]
    let reconnections: Int
    /// Whether everybody listened before the first message.
    let areGathered: Bool
  }

  private func listen(_ crowd: ChatCrowd, _ score: Score) -> Heard {
    let readers = ChatReaders(crowd.sessions.map { ($0.position, crowd.events($0)) }, ports: crowd.ports)
    // Connecting is measured elsewhere: a listener that connects late would count as a slow message.
    let limit = World.live.ticks() + Self.hearingMax
    while !readers.areAnswered, World.live.ticks() < limit { readers.listen(20) }
    let areGathered = readers.areAnswered
    score.start()
    var end: Duration?
    while end.map({ World.live.ticks() < $0 }) ?? true {
      readers.listen(20)
      if end == nil, score.isOver { end = World.live.ticks() + Self.hearingMax }
      if end != nil, readers.heard.allSatisfy({ $0.count >= messages }) { break }
    }
    return Heard(sessions: readers.heard, reconnections: readers.reconnections, areGathered: areGathered)
  }

  private func check(_ sessions: [[ChatReaders.Heard]], _ sent: [Duration], _ report: inout Report) {
    for (session, heard) in sessions.enumerated() {
      let numbers = heard.map(\.number)
      if zip(numbers, numbers.dropFirst()).contains(where: { $0 >= $1 }) {
        report.faults.append("session \(session) heard numbers out of order")
      }
      let texts = heard.map { Self.message($0.text) }
      if texts != Array(0..<messages) { report.faults.append("session \(session) heard \(texts) of \(messages)") }
      for one in heard {
        guard let message = Self.message(one.text), (0..<messages).contains(message) else { continue }
        report.latencies.add(one.at - sent[session * messages + message])
      }
    }
  }

  /// The number of a message.
  private static func message(_ data: String) -> Int? {
    data.firstMatch(of: /"content":"message (\d+)"/).flatMap { Int($0.output.1) }
  }

  private static func wait(until due: Duration) {
    let left = due - World.live.ticks()
    if left > .zero { usleep(UInt32(min(left.inSeconds, 60) * 1_000_000)) }
  }
}

/// What was sent so far.
private final class Score: Sendable {
  private struct State {
    var begin = Duration.zero
    var sent: [Duration]
    var count = 0
    var repetitions = 0
    var isOver = false
  }

  private let state: Mutex<State>
  private let started = DispatchSemaphore(value: 0)

  init(_ messages: Int) { state = Mutex(State(sent: Array(repeating: .zero, count: messages))) }

  /// When each message was sent, by the world's ticks.
  var sent: [Duration] { state.withLock { $0.sent } }
  var repetitions: Int { state.withLock { $0.repetitions } }
  var isWhole: Bool { state.withLock { $0.count == $0.sent.count } }
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Notes that every stream is open.
  func start() {
    state.withLock { $0.begin = World.live.ticks() }
    started.signal()
  }

  /// - Returns: when that was.
  func awaitStart() -> Duration {
    started.wait()
    started.signal()
    return state.withLock { $0.begin }
  }

  func begin(_ message: Int) { state.withLock { $0.sent[message] = World.live.ticks() } }

  /// - Returns: how many messages were sent by now.
  func end() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  func add(repetitions: Int) { state.withLock { $0.repetitions += repetitions } }
  func close() { state.withLock { $0.isOver = true } }
}
