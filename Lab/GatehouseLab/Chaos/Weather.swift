// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport

/// The faults: nodes die, the database restarts, the others answer badly.
struct Weather: Sendable {
  struct Counts: Sendable, Codable {
    var kills = 0
    var fastRestarts = 0
    var immediateRestarts = 0
    var changes = 0
  }

  /// One fault after the other, at most so many.
  static let faultsMax = 10_000
  /// Shares of requests that go wrong. It is bad from the start: few requests reach the bucket, and some have to fail.
  static let shares = [0.1, 0.2, 0.4]

  let stage: ChaosStage
  let randomness: ChaosRandomness
  /// The folder of a throw-away PostgreSQL as `scripts/with-postgres` lays it out; nil leaves the database alone.
  let cluster: String?

  /// Until the time is over; afterwards everything is well again.
  func rage(until end: ContinuousClock.Instant) async throws -> Counts {
    var counts = Counts()
    try await stage.outside.setWeather(s3: 0.4, gateways: 0.1)
    for _ in 0..<Self.faultsMax {
      guard ContinuousClock.now < end else { break }
      try await ClientClock.live.pause(for: .milliseconds(500 + randomness.number(below: 2500)))
      switch randomness.number(below: 10) {
      case 0 where cluster != nil:
        try restartDatabase("fast")
        counts.fastRestarts += 1
      case 1 where cluster != nil:
        try restartDatabase("immediate")
        counts.immediateRestarts += 1
      case 2, 3:
        try await stage.outside.setWeather(
          s3: Self.shares[randomness.number(below: 3)], gateways: Self.shares[randomness.number(below: 3)])
        counts.changes += 1
      default:
        let node = randomness.number(below: stage.nodeCount)
        stage.kill(node)
        // Some stay away long enough for the others to take over what they had begun.
        try await ClientClock.live.pause(for: .milliseconds(randomness.number(below: 2000)))
        try stage.start(node)
        counts.kills += 1
      }
    }
    try await stage.outside.setWeather(s3: 0, gateways: 0)
    try await stage.allAnswer()
    return counts
  }

  private func restartDatabase(_ mode: String) throws {
    guard let cluster else { return }
    let program = Self.programs
    let arguments = ["-D", "\(cluster)/data", "-l", "\(cluster)/log", "-w", "-t", "60", "-m", mode, "restart"]
    // The server refuses to run as root.
    let status =
      getuid() == 0
      ? try stage.children.finish("/usr/sbin/runuser", ["-u", "postgres", "--", program] + arguments, log: "postgres")
      : try stage.children.finish(program, arguments, log: "postgres")
    guard status == 0 else { throw Children.NotStarted(description: "PostgreSQL did not start again") }
  }

  private static let programs: String = {
    let root = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
    return "\(root)/\(versions.max() ?? 15)/bin/pg_ctl"
  }()
}
