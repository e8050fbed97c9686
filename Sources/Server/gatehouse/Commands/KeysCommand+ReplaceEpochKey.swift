// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit

extension KeysCommand {
  /// Puts a new epoch key in the place of one that left.
  struct ReplaceEpochKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "replace-epoch-key",
      abstract: "Begin an epoch with a new, random key, when the epoch key was in wrong hands.",
      discussion: """
        First --prepare, which adds the new key to this machine's file. Copy that file to every other node, and to its \
        copy elsewhere. Then the same without --prepare: every person's key is wrapped under the new key, on which the \
        former one tells nothing. The former one is destroyed after 21 days, or by `gatehouse keys advance --destroy` \
        on every node.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Add the new key to this machine's file, and begin nothing yet.")
    var prepare = false

    func run() async throws {
      let app = try await installation.app()
      let path = app.settings.epochKeyPath
      guard let epochs = SubjectKeyEpochs(app.database, vault: app.vault, world: app.world) else {
        throw EpochKeyError.missing(path: path)
      }
      guard !prepare else {
        try await epochs.prepareNext()
        return try output.done("\(path) holds the new key as well. Copy it to every other node before you go on.")
      }
      let report = try await TerminalProgress.show("Wrapping keys of persons", output) {
        try await epochs.beginNext(progress: $0) { [audit = app.core.audit] epoch, tx in
          try audit.append(
            "keys.epoch_key_replaced", to: KeysCommand.chain, by: MachineUser.actor, facts: ["epoch": "\(epoch)"],
            in: tx)
        }
      }
      try output.done(
        """
        Epoch \(report.epoch) began with the new key: \
        \(report.rewrapped.counted("key of a person was", "keys of persons were")) wrapped under it.
        """)
    }
  }
}
