import DocumentCore
import Foundation
import GatehouseTransport
import GatehouseWire
import Kit
import Storage

/// One run: customers go on from application to application while the weather rages; then everything has to end well.
struct Run: Sendable {
  /// How long the last customers may take after the weather has passed.
  static let ending = Duration.seconds(180)
  /// How long owed work may take after the last customer: a claim lives for a minute, the sweep comes twice a minute.
  static let quieting = Duration.seconds(150)

  /// Steps that a later one takes back: what did not match is taken again, a refusal is followed by another call.
  static let passing: Set<OnboardingStep> = [.documentsMismatched, .amlScreeningFailed, .agentVerificationFailed]

  let stage: Stage
  let database: any SQLDatabase
  let cluster: String?
  let customers: Int
  /// How many of the first customers take pictures.
  let pictured: Int
  let duration: Duration
  let seed: UInt64
  let say: @Sendable (String) -> Void

  func play() async throws -> Report {
    let bank = try await Bank.open(database, folder: stage.folder, address: stage.address)
    let today = CalendarDate(dayNumber: Int(Date().timeIntervalSince1970 / 86_400))
    let scene = Journey.Scene(
      address: stage.address, outside: stage.outside, bank: bank,
      pictures: pictured > 0 ? try today.map { try Pictures(seed: seed, on: $0) } : nil,
      chance: Chance(seed: seed ^ 0xc0ffee))
    let end = ContinuousClock.now + duration
    say("\(customers) customers begin; the weather rages for \(duration.components.seconds) s")
    async let raged = Weather(stage: stage, chance: Chance(seed: seed), cluster: cluster).rage(until: end)
    let journeys = await withTaskGroup(of: [Journey].self) { group in
      for customer in 0..<customers {
        group.addTask { await self.live(customer, scene, until: end) }
      }
      return await group.reduce(into: [Journey]()) { $0 += $1 }
    }
    var report = Report(seed: seed, customers: customers, weather: try await raged)
    say("\(journeys.count) journeys were played; \(report.weather.kills) nodes were killed")
    for journey in journeys { await judge(journey, into: &report) }
    report.ledger = try await quiet()
    report.outside = try await stage.outside.report()
    try verifyAudit(&report)
    report.conclude()
    return report
  }

  /// One customer after the other on one phone, each begun before the weather has passed.
  private func live(_ phone: Int, _ scene: Journey.Scene, until end: ContinuousClock.Instant) async -> [Journey] {
    var played: [Journey] = []
    repeat {
      var journey = Journey(phone + played.count * customers, hasPictures: phone < pictured && played.isEmpty, scene)
      await journey.play(until: end + Self.ending)
      played.append(journey)
    } while ContinuousClock.now < end && !Task.isCancelled
    return played
  }

  /// Holds what the customer was told against what the server says now.
  private func judge(_ journey: Journey, into report: inout Report) async {
    report.journeys += 1
    report.calls += journey.calls
    report.told += journey.told.count
    for (trouble, count) in journey.troubles { report.troubles[trouble, default: 0] += count }
    if journey.isLost { report.faults.append("journey \(journey.serial): the session was lost") }
    guard journey.id != nil, !journey.isLost else {
      if !journey.isLost { report.faults.append("journey \(journey.serial): was never registered") }
      return
    }
    do {
      let view = try await journey.view()
      let missing = journey.told.subtracting(view.completedSteps).subtracting(Self.passing)
      if !missing.isEmpty {
        report.faults.append(
          "journey \(journey.serial): told of \(missing.map(\.rawValue).sorted()), which are not there")
      }
      if !journey.isFinished || view.status != .completed {
        report.faults.append(
          "journey \(journey.serial): is stuck at \(view.lastStep.rawValue), \(view.status.rawValue)")
      }
      if journey.hasPictures { report.pictured += 1 }
    } catch { report.faults.append("journey \(journey.serial): the server says nothing of it: \(type(of: error))") }
  }

  /// Waits until nobody has anything in hand, or for long enough.
  private func quiet() async throws -> Ledger {
    let end = ContinuousClock.now + Self.quieting
    while true {
      // A node whose clock is ahead takes its time; what is due for it may not be for us.
      let ledger = try await Ledger.read(database, now: World.live.now())
      if ledger.isQuiet || ContinuousClock.now >= end { return ledger }
      try await ClientClock.live.pause(for: .seconds(1))
    }
  }

  private func verifyAudit(_ report: inout Report) throws {
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
