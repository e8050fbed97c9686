// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Console
import Foundation
import GatehouseApp
import Kit

extension SaltEdgeCommand {
  struct DemoBank: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Make a bank to try the Authenticator with, in a sandbox; passwords are printed once.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "The file to write, for the setting demoBank.file. It holds secrets.")
    var file: String
    @Option(help: "Code of the bank.")
    var code = "demobank"
    @Option(name: .customLong("customer"), help: "User name, a colon, and a name for people; may be repeated.")
    var customers: [String] = []

    private struct Customer: Encodable {
      let username, password: String
    }

    private struct Report: Encodable {
      let provider, address: String
      let customers: [Customer]
    }

    func run() async throws {
      let settings = try await installation.settings()
      guard settings.isSandbox else { throw CommandFailure.refused("A demonstration bank is for sandboxes.") }
      guard !FileManager.default.fileExists(atPath: file) else {
        throw CommandFailure.refused("The file \(file) is there already.")
      }
      let people = try customers.map { text in
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("--customer is like ada:Ada Anyder") }
        return DemoBankSetup.Person(username: parts[0], name: parts[1])
      }
      // Its secrets are nowhere else: there is no bank without a place for them.
      let place = try DemoBankService.place(for: file)
      let app = OpenedStores.keep(try await App.open(settings, logger: settings.logger("gatehouse")))
      let made = try await DemoBankSetup(app: app).make(
        code: code, people: people.isEmpty ? DemoBankSetup.people : people, by: OperatorOptions.machineUser)
      try made.book.write(to: place)
      let customers = made.passwords.map { Customer(username: $0.0, password: $0.1) }
      try output.show(
        Report(provider: "\(made.book.provider)", address: "\(made.book.address)/demo-bank", customers: customers),
        ["Provider: \(made.book.provider)"]
          + customers.map { "Customer: \($0.username)  Password: \($0.password)" } + [
            "Passwords are shown this once.",
            "Serve it: GATEHOUSE_DEMO_BANK_FILE=\(file) gatehouse serve, then \(made.book.address)/demo-bank",
          ])
    }
  }
}

extension DemoBankService {
  /// Where the book is to be, for its owner's eyes only.
  /// - Throws: `ValidationError` when nothing can be written there.
  static func place(for file: String) throws -> StagedFile {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
    guard !isFolder.boolValue, let place = try? StagedFile(for: file) else {
      throw CommandFailure.refused("The file \(file) cannot be written\(isThere ? ": it is a folder" : "").")
    }
    return place
  }

  func write(to file: String) throws { try write(to: Self.place(for: file)) }
}
