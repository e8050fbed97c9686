// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What a run found.
struct ChaosReport: Sendable, Encodable {
  let seed: UInt64
  let flow: ChaosFlow
  let customers: Int
  let weather: Weather.Counts
  var journeys = 0
  /// Journeys that took pictures, the others had them stepped over in the store.
  var pictured = 0
  /// Calls that were answered well.
  var calls = 0
  /// Steps that customers were told of, each looked for at the end.
  var told = 0
  /// Failures that apps met and went on after.
  var troubles: [String: Int] = [:]
  var ledger = ChaosLedger()
  var outside = ChaosOutside.Report(counts: [:], faults: [])
  var auditChains = 0
  var auditLines = 0
  /// Answers of the nodes by HTTP status, where customers count them.
  var answers: [Int: Int] = [:]
  /// Transfers in the books.
  var transfers = 0
  /// Broken promises.
  var faults: [String] = []

  init(seed: UInt64, flow: ChaosFlow, customers: Int, weather: Weather.Counts) {
    (self.seed, self.flow, self.customers, self.weather) = (seed, flow, customers, weather)
  }

  var passed: Bool { faults.isEmpty }

  /// Takes in what a customer went through, and holds it against what the server says now.
  mutating func add(_ customer: any ChaosCustomer) async {
    journeys += 1
    calls += customer.calls
    told += customer.stepsTold
    if customer.hasPictures { pictured += 1 }
    for (trouble, count) in customer.troubles { troubles[trouble, default: 0] += count }
    faults += await customer.faults()
  }

  /// Draws what follows from the counts.
  mutating func conclude() {
    faults += outside.faults.map { "messages: \($0)" }
    let messages = outside.counts["messages"] ?? 0
    let completed = ledger.phases["completed"] ?? 0
    // A message is a code or a link that was asked for or the news of a completed application.
    if messages > ledger.codesAsked + completed {
      faults.append("\(messages) messages for \(ledger.codesAsked) codes and links and \(completed) customers")
    }
    faults += ledger.verifications.faults
    // One that was begun and whose answer was lost belongs to no customer and stays as it was.
    let open = ledger.openings.filter {
      !["New Application", "Application Processed", "Application Cancelled"].contains($0.key)
    }
    faults += open.map { "\($0.value) applications are stuck at \($0.key)" }
    // A node that died or drains is what the balancer says 502, 503 and 504 for.
    let broken = answers.filter { $0.key >= 500 && ![502, 503, 504].contains($0.key) }
    faults += broken.map { "\($0.value) answers \($0.key)" }
    if ledger.overdue > 0 { faults.append("\(ledger.overdue) effects are due and not performed") }
    if ledger.failing > 0 { faults.append("\(ledger.failing) effects still fail") }
    faults += ledger.deadLetters.map { "\($0.value) effects were given up: \($0.key)" }
    if ledger.leased > 0 { faults.append("\(ledger.leased) leases were never given back") }
    if ledger.claims > 0 { faults.append("\(ledger.claims) idempotency keys stay claimed without an answer") }
    if journeys < customers { faults.append("\(journeys) of \(customers) journeys were played") }
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// Lines for people.
  var text: String {
    func counts(_ values: [String: Int]) -> String {
      values.isEmpty
        ? "none" : values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
    let lines: [(String, String)] = [
      ("seed", "\(seed)"), ("flow", flow.rawValue), ("customers at once", "\(customers)"),
      ("journeys", "\(journeys), \(pictured) with pictures"),
      ("calls answered", "\(calls)"), ("steps told of", "\(told), each looked for"),
      ("nodes killed", "\(weather.kills)"),
      ("database restarts", "\(weather.fastRestarts) fast, \(weather.immediateRestarts) immediate"),
      ("failures passed", counts(troubles)), ("others", counts(outside.counts)),
      ("codes and links", "\(ledger.codesAsked)"), ("applications", counts(ledger.phases)),
      ("onboardings", counts(ledger.verifications.processes)), ("verifications", counts(ledger.verifications.states)),
      (
        "adrift",
        "\(ledger.verifications.adrift) whose activation no phone heard of; the clock ends them, within the hour"
      ),
      (
        "effects",
        "\(ledger.owed) for later, \(ledger.overdue) overdue, \(ledger.failing) failing, \(ledger.leased) leased"
      ),
      ("dead letters", counts(ledger.deadLetters)), ("claims left", "\(ledger.claims)"),
      ("account openings", counts(ledger.openings)), ("transfers booked", "\(transfers)"),
      ("answers", counts(Dictionary(uniqueKeysWithValues: answers.map { ("\($0.key)", $0.value) }))),
      ("audit", "\(auditChains) chains, \(auditLines) lines"),
    ]
    return
      (lines.map { $0.0.padding(toLength: 20, withPad: " ", startingAt: 0) + $0.1 }
      + faults.prefix(50).map { "✗ \($0)" } + [passed ? "nothing was lost" : "✗ \(faults.count) promises broken"])
      .joined(separator: "\n")
  }
}
