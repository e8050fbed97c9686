import ArgumentParser
import FinapticFlow
import Foundation
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
        let house = try await OneAssistCommand.house(installation)
        let standing = try await OneAssistCommand.explained {
          try await ApplicationDesk(house.finaptic).look(id, by: "operator")
        }
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

  struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "events", abstract: "Say where a tenant's server takes events.",
      subcommands: [Set.self, Remove.self])

    struct Set: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Set the address, and print the secret that events are signed with.")

      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The tenant's number.")
      var tenant: Int
      @Argument(help: "HTTPS address.")
      var url: String

      func run() async throws {
        let house = try await OneAssistCommand.house(installation)
        let secret = try await OneAssistCommand.explained {
          try await EventEndpoints(house.finaptic).set(url, of: tenant, by: "operator")
        }
        print("Secret, shown this once: \(secret)")
      }
    }

    struct Remove: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Tell the tenant's server nothing any more.")

      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The tenant's number.")
      var tenant: Int

      func run() async throws {
        let house = try await OneAssistCommand.house(installation)
        try await OneAssistCommand.explained {
          try await EventEndpoints(house.finaptic).remove(of: tenant, by: "operator")
        }
        print("Removed.")
      }
    }
  }
}
