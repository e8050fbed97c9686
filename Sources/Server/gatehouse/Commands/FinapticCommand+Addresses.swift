import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp

/// `gatehouse finaptic addresses`: what people are suggested while they type.
struct FinapticAddresses: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "addresses", abstract: "Load the addresses that are suggested.", subcommands: [Load.self, Look.self])

  struct Load: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Index a file of addresses; servers that run take it up by themselves.",
      discussion: """
        The file is comma-separated values in UTF-8 with the columns line1, locality, area and postal_code, and line2 \
        where there are apartments. Rows that are no home in Canada are left out and counted.
        """)

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The file.", completion: .file())
    var file: String

    func run() async throws {
      let settings = try await installation.settings()
      try settings.makeDataFolder()
      let index = settings[FinapticSettings.self].addressIndex(dataFolder: settings.dataFolder)
      let report: AddressFile.Report
      do { report = try AddressFile.load(file, into: index) } catch let fault
        as AddressFile.Fault
      {
        throw CommandFailure.refused(fault.description)
      }
      print("Taken: \(report.taken)")
      for (reason, count) in report.left.sorted(by: { $0.key < $1.key }) { print("Left: \(count), \(reason)") }
      for example in report.examples { print("  \(example)") }
      print("Index: \(index)")
    }
  }

  struct Look: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print what an app would suggest.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "What a user has typed.")
    var pattern: String

    func run() async throws {
      let settings = try await installation.settings()
      let library = try settings[FinapticSettings.self].library(
        dataFolder: settings.dataFolder, isSandbox: settings.isSandbox)
      guard let index = try library.addresses.index() else {
        throw CommandFailure.notFound("There is no index: load a file first.")
      }
      for address in index.search(pattern) {
        let street = [address.line1, address.line2].compactMap { $0 }.joined(separator: ", ")
        print("\(street), \(address.locality) \(address.province.rawValue) \(address.postalCode)")
      }
    }
  }
}
