// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Casework
import Foundation
import GatehouseApp
import Kit

/// `gatehouse receipt`: signed receipts of decisions.
struct ReceiptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receipt", abstract: "Write and check the receipts of decisions.",
    subcommands: [Write.self, Verify.self, PublicKey.self])

  struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "write",
      abstract: "Write the receipt of the last decision on a case; the look is kept in the audit.")

    @OptionGroup var place: CaseCommand.Place
    @Argument(help: "The case's id.")
    var id: String

    func run() async throws {
      let (app, worker) = try await place.open()
      let item = Case.ID(rawValue: id.lowercased())
      guard let last = try await app.caseCommands.file(item, for: worker).receipts.last else { throw Problem.notFound }
      let receipt = try await app.caseCommands.receipt(last.id, of: item, for: worker)
      // The same document: what is signed is a string in it.
      print(CommandJSON.escaped(String(decoding: receipt.document, as: UTF8.self)), terminator: "")
    }
  }

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Check the signature of a receipt; 1 when it was changed.",
      discussion: "With --public-key it needs no installation: the key has to be known from elsewhere.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "The file.")
    var file: String
    @Option(help: "What `receipt public-key` printed (default: the key ring of this installation).")
    var publicKey: String?
    @OptionGroup var output: OutputOptions

    func run() async throws {
      guard let bytes = FileManager.default.contents(atPath: file) else {
        throw CommandFailure.notFound("\(file) cannot be read")
      }
      let document = try SignedDocument(document: bytes)
      if let publicKey {
        guard let key = Data(base64Encoded: publicKey) else { throw ValidationError("--public-key is Base64") }
        try document.verify(publicKey: key)
      } else {
        try document.verify(for: .decisionReceipt, by: try await installation.app().vault)
      }
      let receipt = try DecisionReceipt(document)
      guard !output.json else { return print(CommandJSON.escaped(document.signed)) }
      print("The signature is right: \(receipt.outcome) by \(receipt.decidedBy) at \(receipt.decidedAt).")
      if let second = receipt.agreedBy { print("Agreed to by \(second).") }
      print("Case \(receipt.item.id), \(receipt.item.kind), about \(receipt.item.subject).")
      for item in receipt.evidence { print("Evidence  \(item.kind)  \(item.id)  \(item.digest ?? "-")") }
      for (name, version) in receipt.versions.sorted(by: { $0.key < $1.key }) { print("Version  \(name)  \(version)") }
    }
  }

  struct PublicKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "public-key", abstract: "Print the public key that checks receipts of now, in Base64.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let key = try await installation.app().vault.publicKey(for: .decisionReceipt).base64EncodedString()
      try output.show(["public_key": key], [key])
    }
  }
}
