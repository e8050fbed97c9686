import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit

extension FinapticCommand {
  /// `gatehouse finaptic bundles`: what customers of a tenant may apply for.
  struct BundlesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bundles", abstract: "Say what people may apply for.",
      subcommands: [List.self, Show.self, Load.self])

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "List what a tenant offers.")

      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The tenant's number.")
      var tenant: Int

      func run() async throws {
        for bundle in try await BundlesCommand.offered(by: tenant, installation) {
          let checks = bundle.verifications.map(\.name.rawValue).joined(separator: " ")
          let products = bundle.products.map(\.rawValue).joined(separator: " ")
          print("\(bundle.id)  checks \(checks)  opens \(products.isEmpty ? "nothing" : products)")
        }
      }
    }

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Print what a tenant offers as `bundles load` takes it: to begin with, what comes with the program.")

      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The tenant's number.")
      var tenant: Int

      func run() async throws {
        print(try ProductBundleFile.text(try await BundlesCommand.offered(by: tenant, installation)))
      }
    }

    struct Load: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Offer the bundles of a file, or of every *.json of a folder, and no others.",
        discussion: """
          What is changed counts at once, also for applications that were begun; what is no longer offered goes on for \
          them. Whether identity is checked (KYC) does not change under an id. The form of the file is in docs/finaptic-onboarding.md.
          """)

      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The tenant's number.")
      var tenant: Int
      @Argument(help: "The file or folder.", completion: .file())
      var path: String

      func run() async throws {
        let bundles: [ProductBundle]
        do throws(ProductBundleFile.Fault) { bundles = try ProductBundleFile.read(path: path) } catch {
          throw CommandFailure.refused(error.description)
        }
        let bundleCommands = try await installation.app().finaptic.dependencies.bundles
        try await bundleCommands.load(bundles, of: tenant, by: OperatorOptions.machineUser)
        print("Offered: \(bundles.map(\.id).joined(separator: " "))")
      }
    }

    private static func offered(by tenant: Int, _ installation: InstallationOptions) async throws -> [ProductBundle] {
      let bundleCommands = try await installation.app().finaptic.dependencies.bundles
      return try await bundleCommands.offered(by: tenant)
    }
  }
}
