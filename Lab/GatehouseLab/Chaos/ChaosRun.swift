// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Kit
import Storage

/// One run: customers go on from application to application while the weather rages; then everything has to end well.
struct ChaosRun: Sendable {
  /// How long the last customers may take after the weather has passed.
  static let ending = Duration.seconds(300)
  /// How long owed work may take after the last customer: the longest claim, of a decision on pictures, lives for five
  /// minutes; the sweep comes twice a minute.
  static let quieting = Duration.seconds(390)

  let stage: ChaosStage
  let database: any SQLDatabase
  let cluster: String?
  let flow: ChaosFlow
  let customers: Int
  /// How many of the first customers take pictures.
  let pictured: Int
  let duration: Duration
  let seed: UInt64
  let say: @Sendable (String) -> Void

  func play() async throws -> ChaosReport {
    let scene = try await flow.scene(self)
    let end = ContinuousClock.now + duration
    say("\(customers) customers begin; the weather rages for \(duration.components.seconds) s")
    async let raged = Weather(stage: stage, randomness: ChaosRandomness(seed: seed), cluster: cluster).rage(until: end)
    let played = try await scene.attended { await self.all(scene, until: end) }
    var report = ChaosReport(seed: seed, flow: flow, customers: customers, weather: try await raged)
    say("\(played.count) journeys were played; \(report.weather.kills) nodes were killed")
    // What customers were written to is looked at with the rest of what became of them. Some come back for that.
    _ = try await quiet()
    for customer in played { await report.add(customer) }
    report.ledger = try await quiet()
    report.answers = scene.answers
    report.outside = try await stage.outside.report()
    try verifyAudit(&report)
    try verifyBooks(&report)
    report.conclude()
    return report
  }

  private func all(_ scene: any ChaosScene, until end: ContinuousClock.Instant) async -> [any ChaosCustomer] {
    await withTaskGroup(of: [any ChaosCustomer].self) { group in
      for phone in 0..<customers {
        group.addTask { await live(phone, scene, until: end) }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// One customer after the other on one phone, each begun before the weather has passed.
  private func live(_ phone: Int, _ scene: any ChaosScene, until end: ContinuousClock.Instant) async
    -> [any ChaosCustomer]
  {
    var played: [any ChaosCustomer] = []
    repeat {
      var customer = scene.customer(
        phone + played.count * customers, hasPictures: phone < pictured && played.isEmpty)
      await customer.play(until: end + Self.ending)
      played.append(customer)
    } while ContinuousClock.now < end && !Task.isCancelled
    return played
  }

  /// Waits until no work is under way, or until the time for that is over.
  private func quiet() async throws -> ChaosLedger {
    let end = ContinuousClock.now + Self.quieting
    while true {
      // A node whose clock is ahead takes its time; what is due for it may not be for us.
      let ledger = try await ChaosLedger.read(database, now: World.live.now())
      if ledger.isQuiet || ContinuousClock.now >= end { return ledger }
      try await ClientClock.live.pause(for: .seconds(1))
    }
  }

  private func verifyBooks(_ report: inout ChaosReport) throws {
    let verified = try stage.run(["ledger", "verify", "--json"])
    struct Verdict: Decodable {
      struct Fault: Decodable {
        let rule: String
        let subject: String
      }

      let transfers: Int
      let faults: [Fault]
    }
    let verdict = try JSONDecoder().decode(Verdict.self, from: verified.output)
    report.transfers = verdict.transfers
    report.faults += verdict.faults.map { "books: \($0.rule) at \($0.subject)" }
  }

  private func verifyAudit(_ report: inout ChaosReport) throws {
    let verified = try stage.run(["audit", "verify", "--json"])
    struct Verdict: Decodable {
      let chains: Int
      let lines: Int
      let faults: [String]
    }
    let verdict = try JSONDecoder().decode(Verdict.self, from: verified.output)
    (report.auditChains, report.auditLines) = (verdict.chains, verdict.lines)
    report.faults += verdict.faults.map { "audit: \($0)" }
    if verified.status != 0, verdict.faults.isEmpty {
      report.faults.append("audit verify left with \(verified.status)")
    }
  }
}
