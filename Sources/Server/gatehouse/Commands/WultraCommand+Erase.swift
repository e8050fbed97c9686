import ArgumentParser
import GatehouseApp
import Kit
import RubixFlow
import WultraFlow

extension WultraCommand {
  /// Erases a user (GDPR art. 17).
  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget a user: ends what goes on, deletes pictures and activations; the audit stays, without a name.",
      discussion: "The same again changes nothing. Copies in backups stay until those are deleted.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The user, as the institution calls them.")
    var user: String
    @Option(help: "Tenant (default: default).")
    var tenant = "default"
    @Option(help: "A code for the audit log, as in art-17-request or consent-withdrawn. Names nobody.")
    var reason: String

    func run() async throws {
      guard let reason = ErasureReason(rawValue: reason) else {
        throw ValidationError("--reason is a code of lower-case letters, digits and hyphens, without long numbers")
      }
      let house = try await installation.house()
      let outcome = try await UserErasure(runner: house.wultra.runner).erase(
        user, tenant: house.tenants.find(tenant).id, for: reason.rawValue, by: .atCommandLine)
      print(
        "Forgotten: \(outcome.processes) processes, whose pictures are deleted by the worker, and "
          + "\(outcome.activations) activations.")
      try await house.forgetOlderPages()
    }
  }
}
