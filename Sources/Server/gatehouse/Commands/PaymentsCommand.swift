// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Kit
import Payments

/// Files of messages between banks.
struct PaymentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payments", abstract: "Check and book ISO 20022 messages of other banks.",
    subcommands: [
      Check.self, Settle.self, Folder.self, Suspense.self, Recalls.self, Send.self, Reconcile.self,
    ])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Read messages and say what they hold, what is wrong and what came twice; 1 when anything is.",
      discussion: """
        Payment orders (pain.001.001.09), credit transfers between banks (pacs.008.001.08), their statuses \
        (pacs.002.001.10; of orders pain.002.001.10), returns (pacs.004.001.09), requests to give them back \
        (camt.056.001.08) and answers to these (camt.029.001.09), statements (camt.053.001.08) and notifications \
        (camt.054.001.08) of accounts, recognised by their namespace. \
        Nothing is booked, and no installation is opened. Repetitions are looked for within these files. Names, \
        accounts and references are never printed.
        """)

    @Argument(help: "Files of one message each.", completion: .file())
    var files: [String]
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("name at least one file") }
    }

    func run() throws {
      let reports = Self.reports(files)
      try output.show(["files": reports], reports.flatMap(\.lines))
      let faulty = reports.count { !$0.faults.isEmpty }
      guard faulty == 0 else {
        throw Problem(
          .badRequest, "messages-refused", "Faults are in \(faulty) of \(files.count.counted("file", "files")).")
      }
    }

    /// What a file holds, and what is wrong with it.
    struct Report: Encodable {
      let file: String
      /// Its kind and how much it holds; nil for what cannot be read.
      var message, contents: String?
      var faults: [String] = []

      /// For people.
      var lines: [String] {
        let said = message.map { "\(file): \($0), \(contents ?? "")" }
        return [said].compactMap(\.self) + faults.map { "\(file): \($0)" }
      }
    }

    static func reports(_ files: [String]) -> [Report] {
      var repeated = RepeatedPayments()
      return files.map { report($0, &repeated) }
    }

    private static func report(_ file: String, _ repeated: inout RepeatedPayments) -> Report {
      let name = TerminalLine.of(file)
      guard let handle = FileHandle(forReadingAtPath: file) else {
        return Report(file: name, faults: ["cannot be read"])
      }
      defer { try? handle.close() }
      do throws(MessageFault) {
        var pages = MessagePages(try MessageFile(handle))
        var report: Report
        do {
          let page = try pages.first()
          report = Report(
            file: name, message: "\(page.message.definition)", contents: contents(page),
            faults: repetitions(page, &repeated) + sums(page))
        }
        while let page = try pages.following() { report.faults += repetitions(page, &repeated) }
        return report
      } catch { return Report(file: name, faults: [TerminalLine.of(error.description)]) }
    }

    private static func repetitions(_ page: MessagePage, _ repeated: inout RepeatedPayments) -> [String] {
      repeated.note(page).map { repetition in
        switch repetition {
        case .message: "the message came before"
        case .transfer(let place): "transfer \(place + 1) came before"
        }
      }
    }

    /// How much of what a message holds.
    /// - Parameter page: the first one.
    private static func contents(_ page: MessagePage) -> String {
      let batches = page.groups.counted("batch", "batches")
      let entries = page.count.counted("entry", "entries")
      let transactions = (page.count - page.groups).counted("transaction", "transactions")
      return switch page.message {
      case .paymentOrders: "\(batches), \(page.count.counted("order", "orders"))"
      case .creditTransfers: page.count.counted("transfer", "transfers")
      case .statuses: "\(page.groups.counted("group", "groups")), \(transactions)"
      case .returns: page.count.counted("return", "returns")
      case .statement: "\(page.groups.counted("statement", "statements")), \(entries)"
      case .notification: "\(page.groups.counted("notification", "notifications")), \(entries)"
      case .cancellation: page.count.counted("request", "requests")
      case .cancellationAnswer: page.count.counted("answer", "answers")
      case .orderStatuses: "\(batches), \(transactions)"
      }
    }

    /// Statements whose entries do not lead from the first balance to the last.
    /// - Parameter page: the first one.
    private static func sums(_ page: MessagePage) -> [String] {
      page.summaries.enumerated().compactMap { place, statement in
        guard let difference = statement.difference, difference.minorUnits != 0 else { return nil }
        return "statement \(place + 1) does not add up: \(difference.decimal) \(difference.currency)"
      }
    }
  }
}
