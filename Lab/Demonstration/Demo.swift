// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Storage

/// Plays whole onboardings against a server of its own: the app through the SDK, the staff through the API.
package struct Demo: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play whole onboardings on this machine, with specimens of Utopia; 1 when anything differs.")

  enum System: String, ExpressibleByArgument, CaseIterable {
    case rubix, wultra, saltedge, oneassist, finaptic
  }

  @Flag(help: "Print one JSON document instead of a table.")
  var json = false

  @Option(help: "The same seed plays the same people with the same papers.")
  var seed: UInt64 = 7

  @Flag(help: "Keep the folder of the database, the images and the keys, and say where it is.")
  var keep = false

  @Option(help: "Play this system only (default: all of them).")
  var only: System?

  package init() {}

  package func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gatehouse-demo-\(UUID().uuidString)").path
    defer { if !keep { try? FileManager.default.removeItem(atPath: folder) } }
    let screen = json ? nil : DemoScreen.standardOutput
    let log = DemoLog(screen: screen)
    screen?.begin(seed: seed)
    let (clock, watch) = (DemoClock(), ContinuousClock())
    let start = watch.now
    let wanted = only.map { [$0] } ?? System.allCases
    if wanted.contains(.rubix) || wanted.contains(.wultra) {
      try await DemoApp.run(in: folder, clock: clock) { [seed] app, address in
        let stage = DemoStage(address: address, folder: folder, seed: seed, clock: clock, log: log)
        if wanted.contains(.rubix) { try await stage.playRubix() }
        if wanted.contains(.wultra) { try await stage.playWultra(in: app) }
      }
    }
    if wanted.contains(.saltedge) {
      try await DemoApp.runWithBank(in: folder, clock: clock) { [seed] app, address, bank in
        let stage = DemoStage(address: address, folder: folder, seed: seed, clock: clock, log: log)
        try await stage.playSaltEdge(in: app, bank)
      }
    }
    if wanted.contains(.oneassist) {
      try await DemoApp.runWithPartner(in: folder, clock: clock) { [seed] app, shop in
        let stage = DemoStage(address: shop.address, folder: folder, seed: seed, clock: clock, log: log)
        try await stage.playOneAssist(in: app, shop)
      }
    }
    if wanted.contains(.finaptic) {
      try await DemoApp.runWithFinaptic(in: folder, clock: clock) { [seed] app, address in
        try await DemoStage(address: address, folder: folder, seed: seed, clock: clock, log: log).playFinaptic(
          in: app)
      }
    }
    let database = try SQLite(path: "\(folder)/gatehouse.sqlite")
    let vault = try await Vault.open(
      database, keyring: Keyring(at: "\(folder)/keys/keyring.json"), world: .live)
    let audit = try await database.read { try AuditStore($0).verify(by: vault) }
    let report = DemoReport(
      seed: seed, seconds: (watch.now - start).inSeconds, steps: await log.steps, audit: audit,
      folder: keep ? folder : nil)
    if json { print(try report.json()) } else { screen?.end(report) }
    guard report.passed else { throw ExitCode(1) }
  }
}
