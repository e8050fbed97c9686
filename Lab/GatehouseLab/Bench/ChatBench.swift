import Delivery
import Foundation
import GatehouseApp
import Kit
import Synchronization

/// Conversations at once: each side says something in turn, and every customer hears it over a stream of their own, which
/// is there before the first word. What is measured is the time from before a word is sent to when it is heard.
struct ChatBench: Sendable {
  /// Words of one conversation, both sides'.
  let words: Int
  /// Words a second over all conversations; nil is as fast as it goes.
  let rate: Int?
  let say: @Sendable (String) -> Void

  /// Threads of those who speak.
  private static let speakers = 4
  /// How long the listeners have after the last message.
  private static let hearingMax = Duration.seconds(60)

  struct Report: Sendable {
    var sessions = 0
    var words = 0
    var seconds = 0.0
    var latencies = Latencies()
    var reconnections = 0
    var repetitions = 0
    /// What was not heard once and in order; nothing.
    var faults: [String] = []

    var table: String {
      let lines = [
        "sessions              \(sessions)", "words                 \(words) in \(Int(seconds)) s",
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
    let (count, words) = (crowd.sessions.count, words)
    let score = Score(count * words)
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
            for word in 0..<words {
              for session in stride(from: speaker, to: count, by: Self.speakers) {
                if let rate { Self.wait(until: begin + .seconds(1) * (word * count + session) / rate) }
                let (place, id) = (session * words + word, World.live.randomUUID())
                score.begin(place)
                try crowd.say(word, in: crowd.sessions[session], id: id, line)
                if score.end() == count * words / 2 { midway() }
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
    var report = Report(sessions: count, words: count * words)
    report.seconds = (World.live.ticks() - score.awaitStart()).inSeconds
    report.repetitions = score.repetitions
    guard let heard else { return report }
    report.reconnections = heard.reconnections
    if !heard.areGathered { report.faults.append("a listener was missing at the first word") }
    check(heard.sessions, score.sent, &report)
    return report
  }

  private struct Heard: Sendable {
    let sessions: [[ChatReaders.Heard]]
    let reconnections: Int
    /// Whether everybody listened before the first word.
    let areGathered: Bool
  }

  private func listen(_ crowd: ChatCrowd, _ score: Score) -> Heard {
    let readers = ChatReaders(crowd.sessions.map { ($0.position, crowd.events($0)) }, ports: crowd.ports)
    // Who comes while it is said hears it late: how long it takes everybody to come at once is another measure.
    let limit = World.live.ticks() + Self.hearingMax
    while !readers.areAnswered, World.live.ticks() < limit { readers.listen(20) }
    let areGathered = readers.areAnswered
    score.start()
    var end: Duration?
    while end.map({ World.live.ticks() < $0 }) ?? true {
      readers.listen(20)
      if end == nil, score.isOver { end = World.live.ticks() + Self.hearingMax }
      if end != nil, readers.heard.allSatisfy({ $0.count >= words }) { break }
    }
    return Heard(sessions: readers.heard, reconnections: readers.reconnections, areGathered: areGathered)
  }

  private func check(_ sessions: [[ChatReaders.Heard]], _ sent: [Duration], _ report: inout Report) {
    for (session, heard) in sessions.enumerated() {
      let numbers = heard.map(\.number)
      if zip(numbers, numbers.dropFirst()).contains(where: { $0 >= $1 }) {
        report.faults.append("session \(session) heard numbers out of order")
      }
      let texts = heard.map { Self.word($0.text) }
      if texts != Array(0..<words) { report.faults.append("session \(session) heard \(texts) of \(words)") }
      for one in heard {
        guard let word = Self.word(one.text), (0..<words).contains(word) else { continue }
        report.latencies.add(one.at - sent[session * words + word])
      }
    }
  }

  /// The number of what was said.
  private static func word(_ data: String) -> Int? {
    data.firstMatch(of: /"content":"word (\d+)"/).flatMap { Int($0.output.1) }
  }

  private static func wait(until due: Duration) {
    let left = due - World.live.ticks()
    if left > .zero { usleep(UInt32(min(left.inSeconds, 60) * 1_000_000)) }
  }
}

/// What the speakers have done so far.
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

  init(_ words: Int) { state = Mutex(State(sent: Array(repeating: .zero, count: words))) }

  /// When each word was sent, by the world's ticks.
  var sent: [Duration] { state.withLock { $0.sent } }
  var repetitions: Int { state.withLock { $0.repetitions } }
  var isWhole: Bool { state.withLock { $0.count == $0.sent.count } }
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Everybody listens.
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

  func begin(_ word: Int) { state.withLock { $0.sent[word] = World.live.ticks() } }

  /// - Returns: how many words were said by now.
  func end() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  func add(repetitions: Int) { state.withLock { $0.repetitions += repetitions } }
  func close() { state.withLock { $0.isOver = true } }
}
