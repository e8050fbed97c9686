import ArgumentParser

/// Devices that users made their own, and the servers that ask about them.
struct PowerAuthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "powerauth", abstract: "Manage strong authentication.", subcommands: [PowerAuthClientCommand.self])
}
