// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Evidence
import Foundation
import GatehouseApp
import OneAssistCore
import Specimens

/// Measures how well screens of phones are read: draws specimens, wears them out, reads them and compares.
struct ReadScreens: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-screens", abstract: "Measure how well screens of phones are read, on specimens.",
    discussion: """
      Each picture is drawn and worn out by its own seed; nothing is written. "Right" is every number in its place; \
      "wrong" is any other number that was not refused. Leaves with 1 when one was wrong.
      """)

  @Argument(help: "imei-screenshot or secure-screen.")
  var kind: ScreenOptions.Kind

  @Option(help: "How many.")
  var count = 100

  @Option(help: "The seed of the first one; the next ones follow.")
  var seed: UInt64 = 1

  @Flag(help: "Name the seeds of those that were not right.")
  var verbose = false

  private enum Outcome: String {
    case right, refused, wrong
  }

  func run() throws {
    guard (1...100_000).contains(count) else { throw ValidationError("--count is 1 to 100000") }
    let reader = EvidenceReader()
    var counts: [Outcome: Int] = [:]
    var (processor, clock) = (0.0, Duration.zero)
    for offset in 0..<UInt64(count) {
      let seed = seed &+ offset
      let (picture, truth) = try draw(seed)
      let (before, start) = (Self.processorMilliseconds(), ContinuousClock.now)
      let read = try read(picture, reader)
      processor += Self.processorMilliseconds() - before
      clock += ContinuousClock.now - start
      let outcome: Outcome = read == truth ? .right : read.isEmpty ? .refused : .wrong
      counts[outcome, default: 0] += 1
      if verbose, outcome != .right { print("\(outcome.rawValue) \(seed): \(read), truly \(truth)") }
    }
    let (right, wrong) = (counts[.right] ?? 0, counts[.wrong] ?? 0)
    let share = (Double(right) * 1000 / Double(count)).rounded() / 10
    let wall = Double(clock.components.seconds) * 1000 + Double(clock.components.attoseconds) / 1e15
    print(
      """
      \(kind.rawValue) \(seed)…\(seed &+ UInt64(count - 1)): \(right) of \(count) right (\(share) %), \
      \(counts[.refused] ?? 0) refused, \(wrong) wrong but accepted; \
      \(Int(processor / Double(count))) ms of the processor and \(Int(wall / Double(count))) ms by the clock a picture
      """)
    if wrong > 0 { throw ExitCode(1) }
  }

  private func draw(_ seed: UInt64) throws -> (picture: Data, truth: [String]) {
    switch kind {
    case .imeiScreenshot:
      let drawn = try IMEIScreenshot.draw(wear: .random(seed: seed), seed: seed)
      return (drawn.picture.data, [drawn.truth.numbers.imei, drawn.truth.numbers.imei2].compactMap(\.self))
    case .secureScreen:
      let drawn = try SecureScreenPhoto.draw(degrade: SecureScreenPhoto.wear(seed: seed), seed: seed)
      return (drawn.picture.data, [drawn.truth.content.code])
    }
  }

  /// As the server and the SDK read: text first, then the rules of extraction.
  private func read(_ picture: Data, _ reader: EvidenceReader) throws -> [String] {
    switch kind {
    case .imeiScreenshot:
      let reading = IMEIReading(text: try reader.readIdentifiersNow(picture, limits: .screenshot).text)
      return [reading?.primary.digits, reading?.secondary?.digits].compactMap(\.self)
    case .secureScreen:
      return try reader.readSecureScreenNow(picture, limits: .screenshot).map { [$0] } ?? []
    }
  }

  /// Of this process, which other work on the machine does not change.
  private static func processorMilliseconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1000 + Double(now.tv_nsec) / 1e6
  }
}
