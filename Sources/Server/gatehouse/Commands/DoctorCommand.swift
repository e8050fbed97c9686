// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp

/// Prints what a support engineer would ask for.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Tell the state of this machine's installation, without secrets; 1 when it has a fault.",
    discussion: """
      Changes nothing. Names of settings are told, never their values; paths of files are told with their modes. Run \
      by root it goes on as the owner of the data folder.
      """)

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = try await installation.settings()
    // A database of SQLite makes files beside itself when it is opened.
    try DataOwner.become(of: settings.dataFolder)
    let diagnosis = await settings.diagnose(file: installation.config)
    try output.show(diagnosis, [diagnosis.text])
    if diagnosis.hasFaults { throw ExitCode.refused }
  }
}
