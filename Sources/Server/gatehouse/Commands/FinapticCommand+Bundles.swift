// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit

extension FinapticCommand {
  /// `gatehouse finaptic bundle`: what customers of a tenant may apply for.
  struct BundlesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bundle", abstract: "Say what people may apply for.",
      subcommands: [List.self, Show.self, Load.self])

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "list", abstract: "List what a tenant offers.")

      @OptionGroup var options: BankOptions

      func run() async throws {
        let rows = try await BundlesCommand.offered(by: options.tenant, options.installation).map {
          Row(
            id: "\($0.id)", checks: $0.verifications.map(\.name.rawValue), products: $0.products.map(\.rawValue))
        }
        try options.output.list("bundles", rows) { row in
          let products = row.products.joined(separator: " ")
          return
            "\(row.id)  checks \(row.checks.joined(separator: " "))  opens \(products.isEmpty ? "nothing" : products)"
        }
      }

      private struct Row: Encodable {
        let id: String
        let checks, products: [String]
      }
    }

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print what a tenant offers as `bundle load` takes it: to begin with, what comes with the program.")

      @OptionGroup var installation: InstallationOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int

      func run() async throws {
        print(
          CommandJSON.escaped(
            try ProductBundleFile.text(try await BundlesCommand.offered(by: tenant, installation))))
      }
    }

    struct Load: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Offer the bundles of a file, or of every *.json of a folder, and no others.",
        discussion: """
          What is changed counts at once, also for applications that were begun; what is no longer offered goes on for \
          them. Whether identity is checked (KYC) does not change under an id. The form of the file is in docs/finaptic-onboarding.md.
          """)

      @OptionGroup var options: BankOptions
      @Argument(help: "The file or folder.", completion: .file())
      var path: String

      func run() async throws {
        let app = try await options.app()
        try CommandFailure.require(path)
        let bundles: [ProductBundle]
        do throws(ProductBundleFile.Fault) { bundles = try ProductBundleFile.read(path: path) } catch {
          throw CommandFailure.refused(error.description)
        }
        try await app.finaptic.dependencies.bundles.load(bundles, of: options.tenant, by: OperatorOptions.machineUser)
        let ids = bundles.map { "\($0.id)" }
        try options.output.show(["offered": ids], ["Offered: \(ids.joined(separator: " "))"])
      }
    }

    private static func offered(by tenant: Int, _ installation: InstallationOptions) async throws -> [ProductBundle] {
      let bundleCommands = try await installation.app(of: tenant).finaptic.dependencies.bundles
      return try await bundleCommands.offered(by: tenant)
    }
  }
}
