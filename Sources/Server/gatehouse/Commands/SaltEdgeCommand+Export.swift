import ArgumentParser
import GatehouseApp
import Kit
import SaltEdgeFlow

extension SaltEdgeCommand {
  /// Gives out what is kept of a bank's customer (GDPR art. 15 and 20).
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export-user",
      abstract: "Write everything that is kept of a bank's customer: devices, decisions and what they were about.",
      discussion: "user.json is for the customer. The look is kept in the audit. Structure: docs/rights.md.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Code of the bank.")
    var code: String
    @Option(help: "The customer, as the bank names them.")
    var user: String
    @OptionGroup var destination: ExportDestination

    func run() async throws {
      let house = try await installation.house()
      let found = try await UserExporter(house.saltEdge.core).export(user, ofBank: code, by: "operator")
      try await destination.write { try $0.add("user.json", ExportText.json(found)) }
      print("\(destination.to) holds what is kept of \(user).")
    }
  }
}
