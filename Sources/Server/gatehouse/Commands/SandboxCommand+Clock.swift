// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit

extension SandboxCommand {
  struct Advance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "advance",
      abstract: "Move the clock of a sandbox forward; what falls due on the way happens, day by day.",
      discussion: """
        A running server follows within about a second. The clock never goes back: for another try, begin with another \
        data folder. A job that failed is named and ends the command with 1; the others ran.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "How far: 45s, 90m, 36h, 91d or 2w, 400 days at most.")
    var span: String
    @OptionGroup var confirmation: ConfirmationOptions

    func validate() throws { _ = try length() }

    func run() async throws {
      let length = try length()
      let place = try await installation.settings().databaseName
      try confirmation.confirm("The clock of the sandbox in \(place) goes forward by \(span), and never back.")
      let app = try await SandboxCommand.sandbox(installation)
      guard let travel = app.sandboxTravel else { throw SandboxCommand.isNone }
      let report = try await travel.advance(by: length, for: OperatorOptions.machineUser) { step, of in
        guard of > 1, isatty(STDERR_FILENO) == 1 else { return }
        let end = step == of ? "\n" : ""
        StandardError.write("\r\(step) of \(of) days\(end)")
      }
      let failures = report.failures.mapValues { "\($0)" }
      try output.show(
        Report(time: app.world.now().rfc3339, effects: Int(report.effects), failures: failures),
        [
          "It is \(app.world.now().rfc3339) in this sandbox. "
            + "\(report.effects.counted("owed effect was", "owed effects were")) begun."
        ]
          + failures.sorted { $0.key < $1.key }.map { "Job \($0.key) failed: \($0.value)" })
      guard report.failures.isEmpty else { throw ExitCode.refused }
    }

    private struct Report: Encodable {
      let time: String
      let effects: Int
      /// By job.
      let failures: [String: String]
    }

    private func length() throws -> Duration {
      guard let length = Duration(spelled: span, atMost: SandboxTravel.spanMax) else {
        throw ValidationError("A span is a number and s, m, h, d or w, such as 91d, and 400 days at most.")
      }
      return length
    }
  }

  struct Clock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clock", abstract: "Print what a sandbox takes the time to be.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let app = try await SandboxCommand.sandbox(installation, orNew: false)
      guard let lead = app.sandboxClock?.lead else { throw SandboxCommand.isNone }
      let row = Row(time: app.world.now().rfc3339, aheadSeconds: lead.wholeSeconds)
      try output.show(row, ["\(row.time), \(row.aheadSeconds) s ahead of this machine"])
    }

    private struct Row: Encodable {
      let time: String
      let aheadSeconds: Int
    }
  }

  static let isNone = CommandFailure.refused("this is no sandbox, or its store was opened with a tenants file before")

  /// - Parameter orNew: as in `InstallationOptions.app`.
  /// - Throws: `CommandFailure` for an installation with customers, before its stores are opened.
  static func sandbox(_ installation: InstallationOptions, orNew: Bool = true) async throws -> App {
    guard try await installation.settings().isSandbox else { throw isNone }
    return try await installation.app(orNew: orNew)
  }
}
