import ArgumentParser
import GatehouseApp
import Kit
import WultraFlow

extension WultraCommand {
  /// Gives out what is kept of one user (GDPR art. 15 and 20).
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write everything that is kept of a user, opened, with the pictures.",
      discussion: "user.json and images/ are for the user. The look is kept in the audit. Structure: docs/rights.md.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The user, as the institution calls them.")
    var user: String
    @Option(help: "Tenant (default: default).")
    var tenant = "default"
    @OptionGroup var destination: ExportDestination

    func run() async throws {
      let house = try await installation.house()
      let exporter = UserExporter(runner: house.wultra.runner)
      var found = try await exporter.export(user, tenant: house.tenants.find(tenant).id, by: .atCommandLine)
      try await destination.write { writer in
        try await exporter.addPictures(to: &found) { file, bytes in try writer.add(file.path, bytes) }
        try writer.add("user.json", ExportText.json(found))
      }
      print("\(destination.to) holds what is kept of \(user).")
    }
  }
}
