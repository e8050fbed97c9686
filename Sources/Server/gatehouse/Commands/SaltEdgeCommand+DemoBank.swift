import ArgumentParser
import Console
import Foundation
import Kit

extension SaltEdgeCommand {
  struct DemoBank: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo-bank",
      abstract: "Make a bank to try the Authenticator with, in a sandbox; passwords are printed once.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "The file to write, for the setting demoBank.file. It holds secrets.")
    var file: String
    @Option(help: "Code of the bank.")
    var code = "demobank"
    @Option(name: .customLong("customer"), help: "User name, a colon, and a name for people; may be repeated.")
    var customers: [String] = []

    func run() async throws {
      let settings = try await installation.settings()
      guard settings.isSandbox else { throw ValidationError("A demonstration bank is for sandboxes.") }
      guard !FileManager.default.fileExists(atPath: file) else {
        throw ValidationError("The file \(file) is there already.")
      }
      let people = try customers.map { text in
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("--customer is like ada:Ada Anyder") }
        return DemoBankSetup.Person(username: parts[0], name: parts[1])
      }
      let house = try await House.open(settings, logger: settings.logger("gatehouse"))
      do {
        let made = try await DemoBankSetup(house: house).make(
          code: code, people: people.isEmpty ? DemoBankSetup.people : people)
        try made.book.write(to: file)
        print("Provider: \(made.book.provider)")
        for (username, password) in made.passwords { print("Customer: \(username)  Password: \(password)") }
        print("Passwords are shown this once.")
        print("Serve it: GATEHOUSE_DEMO_BANK_FILE=\(file) gatehouse serve, then \(made.book.address)/demo-bank")
      } catch let problem as Problem {
        throw ValidationError(
          ([problem.detail] + problem.fields.map { "\($0.pointer): \($0.message)" }).joined(separator: "\n"))
      }
    }
  }
}

extension DemoBankBook {
  /// For its owner's eyes only.
  func write(to file: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try DurableFile.write(try encoder.encode(self), to: file)
  }
}
