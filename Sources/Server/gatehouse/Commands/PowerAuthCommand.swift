// SPDX-License-Identifier: Apache-2.0

import Activations
import ArgumentParser
import Foundation
import GatehouseApp
import HTTP
import Kit
import Logging
import PowerAuthCore

/// Apps that can be activated, the devices that were, and the servers that ask about them.
struct PowerAuthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "powerauth", abstract: "Manage apps and the devices that run them (PowerAuth).",
    subcommands: [
      PowerAuthApplicationCommand.self, PowerAuthActivationCommand.self, RecoveryCodeCommand.self,
      PowerAuthClientCommand.self,
    ])
}

/// Which installation, and whose.
struct PowerAuthOptions: ParsableArguments {
  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var tenant: TenantOptions

  /// Opens the installation for the operations of one tenant.
  /// - Parameter orNew: as in `InstallationOptions.app`.
  func withOperations<Value>(
    orNew: Bool = false, _ body: (PowerAuthOperations) async throws -> Value
  ) async throws -> Value {
    let app = try await installation.app(orNew: orNew)
    return try await body(PowerAuthOperations(activations: app.activations, tenant: tenant.id(in: app)))
  }
}

struct PowerAuthApplicationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "application", abstract: "Apps, their versions and their master keys.",
    subcommands: [Add.self, List.self, Show.self, ProtocolMin.self, Version.self, RotateMasterKey.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add an app; prints the configuration string that it is built with, which holds its secret.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The app's name, unique in its tenant.")
    var name: String
    @Flag(help: "Every activation gets a recovery code and a PUK.")
    var recoveryCodes = false
    @Option(name: .customLong("protocol-min"), help: ProtocolMin.help)
    var protocolMin = PowerAuthApplication.standardProtocolMin

    func run() async throws {
      try await options.withOperations(orNew: true) { operations in
        let release = try await operations.applications.add(
          name, tenant: operations.tenant, issuesRecoveryCodes: recoveryCodes, protocolMin: protocolMin,
          by: .machineUser)
        let (application, version) = (release.application, release.version)
        guard !options.output.json else {
          return try options.output.show(
            ApplicationRow(application, versions: [version], configuration: release.configuration.text), [])
        }
        report("Added \(application.name) as \(application.id), version \(version.id).")
        print(release.configuration.text)
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the apps of a tenant, oldest first.")

    @OptionGroup var options: PowerAuthOptions

    func run() async throws {
      try await options.withOperations { operations in
        let all = try await operations.applications.list(tenant: operations.tenant)
        try options.output.show(
          ["applications": all.map { ApplicationRow($0) }], all.map(PowerAuthOperations.line))
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an app and its versions.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The app's id or name.")
    var application: String

    func run() async throws {
      try await options.withOperations { operations in
        let application = try await operations.application(application)
        let versions = try await operations.applications.versions(of: application.id)
        try options.output.show(
          ApplicationRow(application, versions: versions),
          [PowerAuthOperations.line(application)] + versions.map { "  \(PowerAuthOperations.line($0))" })
      }
    }
  }

  struct ProtocolMin: AsyncParsableCommand {
    static let help: ArgumentHelp = "The lowest version of the protocol that its devices may speak; 3.3 is recommended."
    static let configuration = CommandConfiguration(
      commandName: "protocol-min", abstract: "Set the lowest version of the protocol that an app's devices may speak.",
      discussion: "At once on every node. Devices of older versions are told POWER_AUTH_VERSION_TOO_LOW.")

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The app's id or name.")
    var application: String
    @Argument(help: Self.help)
    var version: ProtocolVersion

    func run() async throws {
      try await options.withOperations { operations in
        let application = try await operations.application(application)
        let changed = try await operations.applications.setProtocolMin(version, of: application.id, by: .machineUser)
        try options.output.show(ApplicationRow(changed), [PowerAuthOperations.line(changed)])
      }
    }
  }

  struct RotateMasterKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate-master-key", abstract: "Make a new master key for the versions that are added from now on.",
      discussion: """
        Released apps keep the key that they were built with, and the server keeps answering them. Add a version, build \
        the app with its configuration, and retire the old versions when no phone runs them any more.
        """)

    @OptionGroup var options: PowerAuthOptions
    @Argument(help: "The app's id or name.")
    var application: String

    func run() async throws {
      try await options.withOperations { operations in
        let application = try await operations.application(application)
        let generation = try await operations.applications.rotateMasterKey(of: application.id, by: .machineUser)
        try options.output.done(
          "Master key \(generation) is for versions that are added from now on.", id: application.id.rawValue)
      }
    }
  }

  struct Version: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "version", abstract: "Released versions of an app.",
      subcommands: [Add.self, Configuration.self, Retire.self, Restore.self])

    struct Add: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a version with a key and secret of its own; prints its configuration string.")

      @OptionGroup var options: PowerAuthOptions
      @Argument(help: "The app's id or name.")
      var application: String
      @Argument(help: "The version's name, unique in the app.")
      var name: String

      func run() async throws {
        try await options.withOperations { operations in
          let application = try await operations.application(application)
          let release = try await operations.applications.addVersion(name, to: application.id, by: .machineUser)
          guard !options.output.json else {
            return try options.output.show(
              ApplicationRow(application, versions: [release.version], configuration: release.configuration.text), [])
          }
          report("Added version \(release.version.id) under master key \(release.version.masterKeyGeneration).")
          print(release.configuration.text)
        }
      }
    }

    struct Configuration: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "configuration", abstract: "Print a version's configuration string, which holds its secret.")

      @OptionGroup var options: PowerAuthOptions
      @Argument(help: "The version's id, or APPLICATION/VERSION.")
      var version: String

      func run() async throws {
        try await options.withOperations { operations in
          let version = try await operations.version(version)
          let text = try await operations.applications.configuration(of: version.id).configuration.text
          try options.output.show(["configuration": text], [text])
        }
      }
    }

    struct Retire: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "retire",
        abstract: "Talk to a version no more: its devices can neither sign nor activate until it is restored.")

      @OptionGroup var options: PowerAuthOptions
      @Argument(help: "The version's id, or APPLICATION/VERSION.")
      var version: String

      func run() async throws { try await options.setSupported(false, version) }
    }

    struct Restore: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Talk to a retired version again.")

      @OptionGroup var options: PowerAuthOptions
      @Argument(help: "The version's id, or APPLICATION/VERSION.")
      var version: String

      func run() async throws { try await options.setSupported(true, version) }
    }
  }
}

extension PowerAuthOptions {
  fileprivate func setSupported(_ isSupported: Bool, _ version: String) async throws {
    try await withOperations { operations in
      let version = try await operations.version(version)
      let changed = try await operations.applications.setSupported(isSupported, version: version.id, by: .machineUser)
      try output.show(ApplicationVersionRow(changed), [PowerAuthOperations.line(changed)])
    }
  }
}

extension ProtocolVersion: ExpressibleByArgument {}

/// To standard error, so that the configuration string alone is what a script reads.
private func report(_ text: String) { StandardError.write("\(text)\n") }
