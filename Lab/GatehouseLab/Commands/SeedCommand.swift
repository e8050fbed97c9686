// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Demonstration
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import ServerTLS

/// Fills the queue of a sandbox: invented people go as far as their next step is a member of staff's.
struct SeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Play invented people into a sandbox until each of them waits for its staff.",
    discussion: """
      Does what `gatehouse sandbox seed` does, and then makes cases: booked calls, one of them about documents, and \
      hits of the screening in Rubix, one in a list that changed since, faces to be compared and documents in doubt in \
      Wultra, photos of phones in OneAssist, questions of customers, payments by card, changed terms and a payment \
      that is asked back in Finaptic. Ten of them can be decided at once. It runs beside a server on the same data, \
      or without one, and takes some minutes. A repetition makes what is missing. --only makes the cases with these \
      names alone: rubix-call, rubix-review, rubix-screening, wultra-presence, oneassist-membership, wultra-documents, \
      chat, screening-hit, finaptic-card, finaptic-terms, finaptic-recall; the second of a kind is rubix-screening-2.
      """)

  @Option(help: "Folder of the database, the blobs and the keys.")
  var data = "data"

  @Option(help: "The same seed plays the same people with the same papers.")
  var seed: UInt64 = 7

  @Option(help: "Name of a case that is made, without the others; repeatable.")
  var only: [String] = []

  /// Before a store is opened, so that a misspelt name leaves nothing behind.
  func validate() throws {
    let unknown = Set(only).subtracting(SampleCases.names).sorted()
    guard unknown.isEmpty else {
      let (names, known) = (unknown.joined(separator: ", "), SampleCases.names.joined(separator: ", "))
      throw ValidationError("no case is named \(names); they are \(known)")
    }
  }

  func run() async throws {
    var settings = try await Settings.load(links: .all)
    settings.dataFolder = data
    // The SDK key that is printed leads to where `serve` listens, and not to where this run does.
    settings.followServer()
    let told = settings[FinapticSettings.self].publicURL ?? "http://127.0.0.1:\(settings.port)"
    settings[FinapticSettings.self].publicURL = told
    (settings.port, settings.logLevel) = (0, "error")
    let phones = FileManager.default.temporaryDirectory.appending(path: "gatehouse-seed-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: phones) }
    let logger = settings.logger("seed")
    let app = try await App.open(settings, logger: logger)
    defer { try? app.database.close() }
    guard let made = SandboxSeed(app), let lead = app.sandboxClock?.lead else {
      throw ValidationError("this installation is no sandbox")
    }
    for item in try await made.run(tenant: "default", by: SampleCases.actor) {
      print("\(item.what): \(item.made ?? "there already.")")
    }
    let (clock, log) = (DemoClock(), DemoLog(screen: nil))
    clock.advance(by: lead)
    let isWhole = try await LoopbackServer.run(
      { bound in [app.server { bound.yield($0) }, app.worker] }, logger: logger
    ) { [seed, only] port in
      guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw DemoApp.NotStarted() }
      let stage = DemoStage(address: address, folder: phones, seed: seed, clock: clock, log: log)
      let made = try await SampleCases(app: app, stage: stage).make(only: only)
      for line in made.lines { print(line) }
      return made.isWhole
    }
    guard !isWhole else { return }
    for step in await log.steps where !step.differences.isEmpty {
      print("\(step.story), \(step.title): \(step.differences.joined(separator: "; "))")
    }
    throw ExitCode.failure
  }
}
