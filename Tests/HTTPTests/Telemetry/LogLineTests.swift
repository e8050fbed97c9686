// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import Logging
import TestSupport
import Testing
import Tracing

@Suite("Telemetry: lines of the log", .storeless)
struct LogLineTests {
  @Test("a line of JSON is one object with an RFC 3339 time, level, message and metadata")
  func json() {
    let line = LogLine(
      time: Instant(milliseconds: 1_795_240_800_042), level: .warning, logger: "gatehouse",
      message: "effect \"x\" failed",
      metadata: [.init(key: "topic", value: "rubix.sendOTP")])
    #expect(
      line.text(.json)
        == #"{"time":"2026-11-21T06:00:00.042Z","level":"warning","logger":"gatehouse","#
        + #""message":"effect \"x\" failed","topic":"rubix.sendOTP"}"# + "\n")
    #expect(
      line.text(.text) == "2026-11-21T06:00:00.042Z warning gatehouse: effect \"x\" failed topic=rubix.sendOTP\n")
  }

  @Test("whatever a message holds, it is one line, and the JSON gives it back", arguments: UInt64(1)...4)
  func fuzz(seed: UInt64) throws {
    var randomness = SeededGenerator(seed: seed)
    let alphabet: [Character] = [
      "a", "\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{1b}", "\u{7f}", "\u{85}", "\u{2028}", "é", "😀", "\r\n", "{",
    ]
    for _ in 0..<500 {
      let length = Int.random(in: 0...20, using: &randomness)
      let message = String((0..<length).map { _ in alphabet.randomElement(using: &randomness) ?? "a" })
      let line = LogLine(
        time: Instant(milliseconds: 0), level: .info, logger: "l", message: message,
        metadata: [.init(key: "k", value: message)])
      for format in LogFormat.allCases {
        let text = line.text(format)
        #expect(text.unicodeScalars.filter { CharacterSet.newlines.contains($0) } == ["\n"])
      }
      let read = try JSONSerialization.jsonObject(with: Data(line.text(.json).utf8)) as? [String: String]
      #expect(read?["message"].map { Array($0.unicodeScalars) } == Array(message.unicodeScalars))
      #expect(read?["k"].map { Array($0.unicodeScalars) } == Array(message.unicodeScalars))
    }
  }

  @Test("the time is what Foundation makes of it, in every year", arguments: UInt64(1)...2)
  func stamps(seed: UInt64) {
    var randomness = SeededGenerator(seed: seed)
    let format = Date.ISO8601FormatStyle()
    let instants =
      [0, 951_782_399_999, 951_782_400_000, 4_107_542_400_000, -1]
      + (0..<500).map { _ in
        Int64.random(in: -2_000_000_000_000...8_000_000_000_000, using: &randomness)
      }
    for instant in instants {
      let time = Instant(milliseconds: instant)
      let line = LogLine(time: time, level: .info, logger: "l", message: "m", metadata: []).text(.text)
      // Whole seconds only: Foundation's own fraction is a rounded floating point number.
      let fraction = (instant % 1000 + 1000) % 1000
      let second = format.format(Instant(milliseconds: instant - fraction).date).dropLast()
      #expect(line.hasPrefix("\(second)." + String(String(1000 + fraction).dropFirst()) + "Z "), "\(instant)")
    }
  }

  @Test("a line that is written in a span names it")
  func traced() async throws {
    let recorder = LineRecorder()
    let tracer = GatehouseTracer(world: TestWorld().world, export: { _ in })
    let trace = try await tracer.traced("work") { (span: GatehouseSpan) in
      recorder.logger.info("inside")
      return span.context.trace
    }
    recorder.logger.info("outside")
    #expect(
      recorder.lines.map(\.metadata) == [
        [.init(key: "span_id", value: trace?.spanID ?? ""), .init(key: "trace_id", value: trace?.traceID ?? "")], [],
      ])
  }
}
