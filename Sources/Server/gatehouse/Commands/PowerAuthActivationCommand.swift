// SPDX-License-Identifier: Apache-2.0

import Activations
import ArgumentParser
import Casework
import Foundation
import GatehouseApp
import Identity
import Kit
import WultraFlow

struct PowerAuthActivationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activation", abstract: "Devices that were activated. Nothing secret is shown.",
    subcommands: [
      List.self, Show.self, Commit.self, Block.self, Unblock.self, Remove.self, Flags.self,
    ])

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List activations, newest first; the look is kept in the audit.")

    @OptionGroup var options: PowerAuthOptions
    @Option(help: "Of this user.")
    var user: String?
    @Option(help: "Of this app, by id or name.")
    var application: String?
    @Option(help: "How many at most (default: 100).")
    var limit = 100
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
      guard user != nil || application != nil else { throw ValidationError("say --user, --application, or both") }
      guard (1...10_000).contains(limit) else { throw ValidationError("--limit is 1 to 10000") }
    }

    func run() async throws {
      try await options.withLook(by: reader) { operations, actor in
        var application: PowerAuthApplication?
        if let text = self.application { application = try await operations.application(text) }
        let found: [Activation] =
          if let user {
            try await operations.activations.list(
              user: user, application: application?.id, tenant: operations.tenant, limit: limit)
          } else if let application {
            try await operations.activations.list(application: application.id, limit: limit)
          } else {
            []
          }
        try await operations.activations.noteLook(at: nil, of: operations.tenant, by: actor)
        try options.output.show(
          ["activations": found.map { ActivationRow($0) }], found.map(PowerAuthOperations.line))
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show an activation and what happened to it last; the look is kept in the audit.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The activation's id.")
    var activation: String
    @Option(help: "Lines of its history, at most (default: 100).")
    var lines = 100
    @OptionGroup var reader: ReaderOptions

    func validate() throws {
      guard (1...10_000).contains(lines) else { throw ValidationError("--lines is 1 to 10000") }
    }

    func run() async throws {
      try await options.withLook(by: reader) { operations, actor in
        let activation = try await operations.activation(activation)
        try await operations.activations.noteLook(at: activation.id, of: operations.tenant, by: actor)
        let history = try await operations.activations.latestHistory(activation.id, limit: lines)
        try options.output.show(
          ActivationRow(activation, history: history), [PowerAuthOperations.text(activation, history: history)])
      }
    }
  }

  struct Commit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "commit",
      abstract: "Make a device usable that exchanged keys; compare fingerprints with its user first.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The activation's id.")
    var activation: String
    @Option(help: "The OTP that the user was told, if the activation asks for one on commit.")
    var otp: String?

    func run() async throws {
      try await options.change(activation) { try await $0.commit($1, otp: otp, by: .machineUser) }
    }
  }

  struct Block: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "block", abstract: "Let a device prove nothing until it is unblocked.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The activation's id.")
    var activation: String
    @Option(help: "A code for the history, as in LOST (default: NOT_SPECIFIED).")
    var reason: String?

    func run() async throws {
      try await options.change(activation) { try await $0.block($1, reason: reason, by: .machineUser) }
    }
  }

  struct Unblock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unblock", abstract: "Let a blocked device prove again, its attempts forgiven.",
      discussion: """
        Where two persons let a device in (wultra.unblockFourEyes, the rule outside of sandboxes), a member of staff \
        with block:users asks, named by --agent, with a --reason. A colleague with approve:verdicts agrees on the \
        desk's page of approvals, and the same again lets it in. So does a device that the bank's own server activated.
        """)

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The activation's id.")
    var activation: String
    @Option(help: "Where two persons have to: one of the desk's reasons, as in OPERATIONAL_ERROR.")
    var reason: String?
    @OptionGroup var second: SecondPersonOptions
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let app = try await options.installation.app()
      let records = app.deviceRecords
      guard records.unblocksNeedTwo else {
        let actor = ActivationActor(try await acting.actor(in: app, may: .blockUsers))
        return try await options.change(activation) { try await $0.unblock($1, by: actor) }
      }
      guard let agent = acting.agent, let reason else {
        throw PowerAuthOperationsError(exit: .refused, Self.hint)
      }
      try await options.withOperations { operations in
        let found = try await operations.activation(activation)
        let member = try await app.staff.acting(agent, of: app.tenants.all.map(\.id), may: .blockUsers)
        let reader = RecordReader(
          chain: member.id.rawValue, actor: member.actor, email: member.email,
          scope: app.caseService.policy.scope(of: member.tenant), why: .act)
        let waiting = try await records.unblock(found.id, because: reason, naming: second.approval, for: reader)
        if let waiting { try waiting.show(options.output) }
        let changed = try await operations.activations.find(found.id)
        try options.output.show(ActivationRow(changed), [PowerAuthOperations.line(changed)])
      }
    }

    private static let hint = """
      two persons let a device in here: give --agent, a member of staff with block:users, and --reason, or ask on its \
      record at the desk, /console/records/verifications. Then a colleague with approve:verdicts agrees at \
      /console/approvals
      """
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "End an activation for good, with its tokens; the user has to activate anew.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The activation's id.")
    var activation: String
    @Flag(help: "End its recovery codes too.")
    var revokeRecovery = false
    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
      try confirmation.confirm("The activation \(activation) will end for good.")
      try await options.change(activation) {
        try await $0.remove($1, revokingRecovery: revokeRecovery, by: .machineUser)
      }
    }
  }

  struct Flags: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "flags", abstract: "Show an activation's flags, or change them.",
      discussion: "Flows keep their state in flags, as VERIFICATION_PENDING: who takes one away moves the app on.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The activation's id.")
    var activation: String
    @Option(help: "A flag to add; may be repeated.")
    var add: [String] = []
    @Option(help: "A flag to take away; may be repeated.")
    var remove: [String] = []

    func run() async throws {
      try await options.withOperations { operations in
        var activation = try await operations.activation(activation)
        if !add.isEmpty {
          activation = try await operations.activations.addFlags(add, to: activation.id, by: .machineUser)
        }
        if !remove.isEmpty {
          activation = try await operations.activations.removeFlags(remove, from: activation.id, by: .machineUser)
        }
        try options.output.list("flags", activation.flags) { $0 }
      }
    }
  }
}

extension PowerAuthOptions {
  /// Opens the installation for a person who looks at devices, which are their users'.
  /// - Throws: as `ReaderOptions.actor`.
  fileprivate func withLook(
    by reader: ReaderOptions, _ body: (PowerAuthOperations, ActivationActor) async throws -> Void
  ) async throws {
    let app = try await installation.app()
    let tenant = try tenant.id(in: app)
    let actor = try await reader.actor(in: app, may: .readCustomers, of: tenant)
    try await body(PowerAuthOperations(activations: app.activations, tenant: tenant), ActivationActor(actor))
  }

  /// Does something to an activation and shows how it stands then.
  fileprivate func change(
    _ text: String, _ body: (Activations, Activation.ID) async throws -> Activation
  ) async throws {
    try await withOperations { operations in
      let activation = try await operations.activation(text)
      let changed = try await body(operations.activations, activation.id)
      try output.show(ActivationRow(changed), [PowerAuthOperations.line(changed)])
    }
  }
}
