// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import FinapticWire
import Foundation
import GatehouseApp
import Kit

/// `gatehouse finaptic simulate …`: what the world does to a sandbox tenant, from the command line.
struct FinapticSimulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Play the world around a sandbox tenant: deposits, money sent by Interac, payments by card.",
    subcommands: [Deposit.self, Interac.self, Confirm.self, Recall.self, FinapticCardSimulation.self])

  struct SimulationOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: TenantNumber.help, transform: TenantNumber.read)
    var tenant: Int

    /// Runs with a simulation and whatever writes its transactions.
    func run(
      _ work: @Sendable (MoneySimulation, App) async throws -> Void
    ) async throws {
      let app = try await installation.app(of: tenant)
      let found = try await app.finaptic.dependencies.tenants.find(tenant)
      try await work(try app.finaptic.dependencies.simulation(of: found, by: OperatorOptions.machineUser), app)
    }
  }

  struct WordOptions: ParsableArguments {
    @Option(help: "What the sender says of it, up to 420 characters.")
    var note: String?
    @Option(help: "File of a JSON array of up to five documents in the manner of ISO 20022.")
    var documents: String?

    func remittance() throws -> FinapticAPI.Remittance? {
      let structured = try documents.map { path in
        guard let bytes = FileManager.default.contents(atPath: path) else {
          throw CommandFailure.notFound("--documents: \(path) cannot be read")
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      guard note != nil || structured != nil else { return nil }
      return .init(unstructured: note.map { .init(data: $0) }, structured: structured)
    }
  }

  struct Deposit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "deposit", abstract: "Pay cash onto an account.")
    @OptionGroup var options: SimulationOptions
    @Argument(help: "The account's id.")
    var account: String
    @Argument(help: "How much, such as 100.00.")
    var amount: String
    @Option(help: "Who pays it in.")
    var payer: String?
    @Option(help: "A UUID: the same one is the same deposit.")
    var key: String?
    @OptionGroup var words: WordOptions

    func run() async throws {
      try await options.run { simulation, app in
        let booked = try await simulation.deposit(
          .init(
            accountId: account, amount: .init(amount: amount, currency: "CAD"), payerName: payer,
            remittance: try words.remittance()),
          key: key ?? app.world.randomUUID())
        try options.output.show(
          ["transaction": "\(booked.transactionId)"], ["Transaction: \(booked.transactionId)"])
      }
    }
  }

  struct Interac: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "interac", abstract: "Send money to an e-mail address or a mobile number by Interac.")
    @OptionGroup var options: SimulationOptions
    @Argument(help: "An e-mail address, or a number such as +1-5141234567.")
    var alias: String
    @Argument(help: "How much, such as 100.00.")
    var amount: String
    @Option(help: "Who sends it.")
    var sender: String
    @Option(help: "What is asked before it can be taken.")
    var question: String?
    @Option(help: "The right answer.")
    var answer: String?
    @Option(help: "Id of the only customer who may take it.")
    var customer: String?
    @Option(help: "A word to the recipient.")
    var memo: String?
    @OptionGroup var words: WordOptions

    func run() async throws {
      try await options.run { simulation, app in
        var body = SimulationBodies.Transfer(amount: .init(amount: amount, currency: "CAD"), senderName: sender)
        if alias.hasPrefix("+") { body.aliasPhoneNumber = .init(phoneNumber: alias) } else { body.aliasEmail = alias }
        (body.securityQuestion, body.securityAnswer, body.customerId) = (question, answer, customer)
        (body.senderMemo, body.remittance) = (memo, try words.remittance())
        let (new, asked) = (simulation.new(), body)
        let sent = try await app.database.write { try simulation.send(asked, new, in: $0) }
        var members = ["payment_number": "\(sent.interacPaymentNumber)", "status": "\(sent.transferStatus)"]
        var lines = ["Payment number: \(sent.interacPaymentNumber)", "Status: \(sent.transferStatus)"]
        if let account = sent.accountId {
          members["account"] = "\(account)"
          lines.append("Account: \(account)")
        }
        if let transaction = sent.transactionId {
          members["transaction"] = "\(transaction)"
          lines.append("Transaction: \(transaction)")
        }
        try options.output.show(members, lines)
      }
    }
  }

  struct Confirm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "confirm", abstract: "Confirm an autodeposit registration in its holder's place.")
    @OptionGroup var options: SimulationOptions
    @Argument(help: "The registration's id.")
    var registration: String

    func run() async throws {
      try await options.run { simulation, app in
        _ = try await app.database.write { try simulation.confirm(.init(registrationId: registration), in: $0) }
        try options.output.done("Confirmed.", id: registration)
      }
    }
  }

  struct Recall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recall", abstract: "Take back money that waits, in its sender's place.")
    @OptionGroup var options: SimulationOptions
    @Argument(help: "The payment number.")
    var number: String

    func run() async throws {
      try await options.run { simulation, app in
        _ = try await app.database.write { try simulation.recall(.init(interacPaymentNumber: number), in: $0) }
        try options.output.done("Recalled.", id: number)
      }
    }
  }
}
