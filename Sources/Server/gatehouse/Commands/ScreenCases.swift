// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Identity
import Kit
import RubixFlow
import Screening

/// `gatehouse screen hits`: what waits for a person.
struct ScreenHits: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hits", abstract: "Show the hits that wait for a person, the longest first.",
    discussion: "Names customers: the look is a line of the audit log.")

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var by: ReaderOptions
  @Option(help: TenantID.help)
  var tenant: TenantID?
  @Option(help: "At most so many.")
  var limit = ScreeningCaseService.pageMax
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...ScreeningCaseService.pageMax).contains(limit) else {
      throw ValidationError("--limit is 1 to \(ScreeningCaseService.pageMax)")
    }
  }

  func run() async throws {
    let app = try await installation.app()
    let (actor, visible): (String, TenantID?)
    if by.agent == nil {
      (actor, visible) = (try await by.actor(in: app, may: .decideAML), tenant)
    } else {
      let member = try await app.analyst(by.agent)
      (actor, visible) = (member.actor, tenant ?? TenantID(RubixModule.name, member.tenant))
      // Finaptic has no staff of its own: any institution's may look at its customers.
      guard visible?.system != RubixModule.name || visible?.name == member.tenant else { throw Problem.notFound }
    }
    let items = try await app.screeningCases.waiting(of: visible, limit: limit, by: actor)
    // Hits of one that was taken away still wait.
    if items.isEmpty, let tenant { try await app.require(tenant) }
    let shown = zip(items, try await app.screeningCases.delistings(of: items))
    guard !output.json else {
      return print(try CommandJSON.document(ScreenReport(hits: shown.map(ScreenReport.Hit.init))))
    }
    if items.isEmpty { print(visible.map { "No hit of \($0.spelling) waits." } ?? "No hit waits.") }
    let colleagues = try await app.colleagues(on: items)
    for (item, delisting) in shown { for line in item.lines(delisting, colleagues: colleagues) { print(line) } }
    if items.count == limit { print("Only the first \(limit): more may wait, see gatehouse case list.") }
  }
}

/// `gatehouse screen decide`: an analyst's judgement.
struct ScreenDecide: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decide", abstract: "Judge a hit: decide it, or propose that where two persons decide.")

  @OptionGroup var installation: InstallationOptions
  @Argument(help: "The case, as gatehouse screen hits shows it.")
  var id: String
  @Option(help: "Who judges: id or e-mail address of a member of staff with the permission decide:aml.")
  var agent: String
  @Option(help: "false_positive or true_match.")
  var verdict: Screening.Disposition
  @Option(
    name: .customLong("case-version"),
    help: "The version of the case, as gatehouse screen hits shows it: what changed since then is refused.")
  var version: Int?
  @Option(help: "Of a false positive, from the catalogue.")
  var reason: Screening.FalsePositiveReason?
  @Option(help: "Why, in your words; it is kept sealed.")
  var text: String
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let app = try await installation.app()
    let member = try await app.analyst(agent)
    let rule = app.rubix.screened.analyst(member)
    let item = try await app.screeningCases.judge(
      .init(rawValue: id), .init(verdict, reason: reason, text: text), version: version, by: member.actor,
      under: rule)
    try await item.show(in: app, json: output.json)
  }
}

/// `gatehouse screen approve`: the second person.
struct ScreenApprove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve", abstract: "Approve what another person proposed for a hit, or give it back.",
    discussion: """
      The approval is of the verdict, on the hit, in the version that you saw: what changed since then is refused. The \
      person who proposed it cannot approve it.
      """)

  @OptionGroup var installation: InstallationOptions
  @Argument(help: "The case, as gatehouse screen hits shows it.")
  var id: String
  @Option(help: "Who approves: id or e-mail address of a member of staff with the permission decide:aml.")
  var agent: String
  @Option(help: "The verdict that is approved: false_positive or true_match.")
  var verdict: Screening.Disposition?
  @Option(name: .customLong("case-version"), help: "The version of the case, as gatehouse screen hits shows it.")
  var version: Int
  @Option(help: "What you have to say of it.")
  var text = ""
  @Flag(help: "Do not approve it: the hit waits for an analyst again.")
  var giveBack = false
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (verdict == nil) == giveBack else { throw ValidationError("name the --verdict, or --give-back") }
  }

  func run() async throws {
    let app = try await installation.app()
    let member = try await app.analyst(agent)
    let rule = app.rubix.screened.analyst(member)
    let id = Screening.Case.ID(rawValue: id)
    let item: ScreeningCaseService.Item
    if let verdict {
      item = try await app.screeningCases.approve(
        id, verdict, version: version, text: text, by: member.actor, under: rule)
    } else {
      item = try await app.screeningCases.giveBack(
        id, version: version, text: text, by: member.actor, under: rule)
    }
    try await item.show(in: app, json: output.json)
  }
}

/// `gatehouse screen self-test`: what the matcher is worth on these lists.
struct ScreenSelfTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "self-test", abstract: "Disguise entries of the lists, and show how many are found; 1 below --recall.",
    discussion: "The same seed with the same lists and settings gives the same report. Nothing is kept of it.")

  @OptionGroup var installation: InstallationOptions
  @Option(help: "Entries for each kind of disguise.")
  var sample = ScreeningSelfTest.sample
  @Option(help: "Which entries, and how they are disguised.")
  var seed: UInt64 = 1
  @Option(help: "End with 1 when less is found of any kind, as in 0.9.")
  var recall: Double?
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...100_000).contains(sample) else { throw ValidationError("--sample is 1 to 100000") }
  }

  func run() async throws {
    let report = try await installation.app().screeningModule.selfTest.report(seed: seed, sample: sample)
    if output.json {
      print(try CommandJSON.document(report))
    } else {
      print("lists  " + report.lists.map { TerminalLine.of("\($0.code) \($0.version)") }.joined(separator: ", "))
      print("rules  matcher \(report.matcher), policy \(report.policy.prefix(16)), threshold \(report.threshold)")
      for finding in report.findings {
        let share = finding.recall.map { String(format: "%.3f", $0) } ?? "-"
        print("\(share)  \(finding.kind.rawValue)  \(finding.found) of \(finding.tried)")
      }
    }
    if let recall, !report.below(recall).isEmpty { throw ExitCode.refused }
  }
}

extension Screening.Disposition: ExpressibleByArgument {
  package static var allValueStrings: [String] { ["false_positive", "true_match"] }
}
extension Screening.FalsePositiveReason: ExpressibleByArgument {}

extension App {
  /// A member of staff who may decide on hits, named.
  fileprivate func analyst(_ name: String?) async throws -> StaffMember {
    try await staff.acting(name ?? "", of: tenants.all.map(\.id), may: .decideAML)
  }
}
