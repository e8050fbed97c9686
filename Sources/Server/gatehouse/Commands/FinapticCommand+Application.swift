// SPDX-License-Identifier: Apache-2.0

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
        commandName: "show", abstract: "Show where an application stands, without names; leaves an audit line.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: "The application's id.")
      var id: String
      @OptionGroup var reader: ReaderOptions

      private struct Row: Encodable {
        let id, tenant, bundle, status: String
        let needsKYC: Bool
        let failures: Int
        let codes, updates: [String]
        let hasDocuments, hasSelfie: Bool
        let user, customer: String?

        enum CodingKeys: String, CodingKey {
          case id, tenant, bundle, status, failures, codes, updates, hasDocuments, hasSelfie, user, customer
          case needsKYC = "needs_kyc"
        }
      }

      func run() async throws {
        let app = try await installation.app()
        let actor = try await reader.actor(in: app, may: .readCustomers)
        let application = try await app.finaptic.dependencies.applicationReader.look(id, by: actor)
        guard !output.json else {
          return try output.show(
            Row(
              id: "\(application.id)", tenant: "\(application.tenant)", bundle: "\(application.bundle)",
              status: application.status.rawValue, needsKYC: application.needsKYC, failures: Int(application.failures),
              codes: application.codes, updates: application.updates, hasDocuments: application.hasDocuments,
              hasSelfie: application.hasSelfie, user: application.user.map { "\($0)" },
              customer: application.customer.map { "\($0)" }), [])
        }
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
