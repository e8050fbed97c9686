// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import ServerTLS
import Storage

/// Makes a store as large as a bank's.
struct FillCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fill",
    abstract: "Add invented customers with evidence rows to the store of a sandbox, for measuring.",
    discussion: """
      Seven of ten are customers, the others stand along the way; one of ten waits for a call and has a case. Each has \
      a session, audit lines, an answer that is kept for repetitions, and the rows of three selfies and a passport. \
      A repetition adds as many again. GATEHOUSE_DATABASE_URL fills PostgreSQL. scripts/bench-scale measures what \
      operators do on such stores.
      """)

  @Option(help: "Customers to add.")
  var customers = 10_000

  @Option(help: "Of a hundred customers, how many keep their pictures as objects of 4 KiB each.")
  var keptPercent = 1

  @Option(help: "Folder of the database, the blobs and the keys.")
  var data = "data"

  @Option(help: "JSON file of settings, as gatehouse takes it.")
  var config: String?

  func validate() throws {
    guard (1...10_000_000).contains(customers), (0...100).contains(keptPercent) else {
      throw ValidationError("--customers is 1 to 10000000, --kept-percent 0 to 100")
    }
  }

  func run() async throws {
    var settings = try await Settings.load(file: config, links: .all)
    guard settings.isSandbox else { throw ValidationError("this installation is no sandbox") }
    (settings.dataFolder, settings.logLevel) = (data, "error")
    let app = try await App.open(settings, logger: settings.logger("fill"))
    defer { try? app.database.close() }
    let begun = ContinuousClock.now
    let fill = StoreFill(
      app: app, keptPercent: keptPercent, say: { FileHandle.standardError.write(Data("fill: \($0)\n".utf8)) })
    let all = try await fill.add(customers)
    print("\(customers) added in \(Int((ContinuousClock.now - begun).inSeconds)) s; the store has \(all) now")
  }
}
