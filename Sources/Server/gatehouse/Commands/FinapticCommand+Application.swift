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
        abstract: "Show where an application stands. Names nobody; leaves an audit line.")

      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The application's id.")
      var id: String

      func run() async throws {
        let app = try await installation.app()
        let standing = try await app.finaptic.parts.applicationReader.look(id, by: "operator")
        print(
          """
          application  \(standing.id)
          tenant       \(standing.tenant)
          bundle       \(standing.bundle)\(standing.needsKYC ? "" : " (no verification)")
          status       \(standing.status.rawValue)
          failures     \(standing.failures)\(standing.codes.isEmpty ? "" : " \(standing.codes.joined(separator: " "))")
          updates      \(standing.updates.isEmpty ? "none" : standing.updates.joined(separator: " "))
          documents    \(standing.hasDocuments ? "sent" : "none")
          selfie       \(standing.hasSelfie ? "sent" : "none")
          user         \(standing.user ?? "none")
          customer     \(standing.customer ?? "none")
          """)
      }
    }
  }
}
