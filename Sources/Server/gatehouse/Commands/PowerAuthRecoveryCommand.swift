// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp
import Kit

struct RecoveryCodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery-code", abstract: "Recovery codes on paper.", subcommands: [PowerAuthRecoveryCommand.self])
}

/// Recovery codes on paper, for people whose device may go.
struct PowerAuthRecoveryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issue", abstract: "Issue a recovery code on paper; code and PUKs are printed once.",
    discussion: "The code is good once its user confirmed it with their device. Each PUK activates one new device.")

  @OptionGroup var options: PowerAuthOptions
  @Argument(help: "The app's id or name.")
  var application: String
  @Argument(help: "Whose it is.")
  var user: String
  @Option(help: "PUKs, asked for one after the other (default: 1).")
  var puks = 1

  private struct Report: Encodable {
    let code: String
    let puks: [String]
  }

  func run() async throws {
    try await options.withOperations { operations in
      let application = try await operations.application(application)
      let issued = try await operations.activations.issueRecoveryCode(
        user: user, application: application.id, puks: puks, by: .machineUser)
      let report = Report(code: issued.code.text, puks: issued.puks.map(\.text))
      try options.output.show(
        report, ["Code: \(report.code)"] + report.puks.enumerated().map { "PUK \($0.offset + 1): \($0.element)" })
    }
  }
}
