// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp

/// `gatehouse finaptic address`: what people are suggested while they type.
struct FinapticAddresses: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "address", abstract: "Load the addresses that are suggested.", subcommands: [Load.self, Look.self])

  struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "load", abstract: "Index a file of addresses; servers that run take it up by themselves.",
      discussion: """
        The file is comma-separated values in UTF-8 with the columns line1, locality, area and postal_code, and line2 \
        where there are apartments. Rows that are no home in Canada are left out and counted.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The file.", completion: .file())
    var file: String

    func run() async throws {
      try CommandFailure.require(file)
      let settings = try await installation.settings()
      try settings.makeDataFolder()
      let index = settings[FinapticSettings.self].addressIndex(dataFolder: settings.dataFolder)
      let report: AddressFile.Report
      do { report = try AddressFile.load(file, into: index) } catch let fault
        as AddressFile.Fault
      {
        throw CommandFailure.refused("\(TerminalLine.of(file)): \(fault.description)")
      }
      let left = Dictionary(uniqueKeysWithValues: report.left.map { ("\($0.key)", Int($0.value)) })
      try output.show(
        Report(taken: Int(report.taken), left: left, index: "\(index)"),
        ["Taken: \(report.taken)"] + left.sorted { $0.key < $1.key }.map { "Left: \($0.value), \($0.key)" }
          + report.examples.map { "  \($0)" } + ["Index: \(index)"])
    }

    private struct Report: Encodable {
      let taken: Int
      /// Rows that were left out, by why.
      let left: [String: Int]
      let index: String
    }
  }

  struct Look: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "look", abstract: "Print what an app would suggest.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "What a user has typed.")
    var pattern: String

    func run() async throws {
      let settings = try await installation.settings()
      let library = try settings[FinapticSettings.self].library(
        dataFolder: settings.dataFolder, isSandbox: settings.isSandbox)
      guard let index = try library.addresses.index() else {
        throw CommandFailure.notFound("There is no index: load a file first.")
      }
      let rows = index.search(pattern).map {
        Row(
          street: [$0.line1, $0.line2].compactMap { $0 }.joined(separator: ", "), locality: $0.locality,
          province: $0.province.rawValue, postalCode: "\($0.postalCode)")
      }
      try output.list("addresses", rows) { "\($0.street), \($0.locality) \($0.province) \($0.postalCode)" }
    }

    private struct Row: Encodable {
      let street, locality, province, postalCode: String
    }
  }
}
