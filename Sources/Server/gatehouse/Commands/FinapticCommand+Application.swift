import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit

extension FinapticCommand {
  struct ApplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "application", abstract: "Look at applications.", subcommands: [Show.self])

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Show where an application stands, without names; leaves an audit line.")

      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The application's id.")
      var id: String

      func run() async throws {
        let app = try await installation.app()
        let application = try await app.finaptic.dependencies.applicationReader.look(
          id, by: OperatorOptions.machineUser)
        print(
          """
          application  \(application.id)
          tenant       \(application.tenant)
          bundle       \(application.bundle)\(application.needsKYC ? "" : " (no verification)")
          status       \(application.status.rawValue)
          failures     \(application.failures)\(application.codes.isEmpty ? "" : " \(application.codes.joined(separator: " "))")
          updates      \(application.updates.isEmpty ? "none" : application.updates.joined(separator: " "))
          documents    \(application.hasDocuments ? "sent" : "none")
          selfie       \(application.hasSelfie ? "sent" : "none")
          user         \(application.user ?? "none")
          customer     \(application.customer ?? "none")
          """)
      }
    }
  }
}
