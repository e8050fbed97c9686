// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Evidence

/// The child process of a server that decodes and reads pictures. Only the server starts it.
struct EvidenceWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "evidence-worker", shouldDisplay: false)

  func run() throws { try EvidenceWorker.run() }
}
