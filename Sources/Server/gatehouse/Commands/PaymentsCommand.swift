import ArgumentParser
import Foundation
import Kit
import Payments

/// Files of messages between banks.
struct PaymentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payments", abstract: "Check files of ISO 20022 messages.", subcommands: [Check.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read messages and say what they hold, what is wrong and what came twice; 1 when anything is.",
      discussion: """
        Credit transfers between banks (pacs.008.001.08) and statements of accounts (camt.053.001.08), recognised by \
        their namespace. Nothing is booked, and no installation is opened. Repetitions are looked for within these \
        files. Names, accounts and references are never printed.
        """)

    @Argument(help: "Files of one message each.", completion: .file())
    var files: [String]

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("name at least one file") }
    }

    func run() throws {
      let reports = Self.reports(files)
      for line in reports.flatMap({ $0.said + $0.faults }) { print(line) }
      let faulty = reports.count { !$0.faults.isEmpty }
      guard faulty == 0 else {
        throw Problem(.badRequest, "messages-refused", "\(faulty) of \(files.count) files have faults.")
      }
    }

    /// What a file holds, and what is wrong with it, a line each.
    struct Report {
      var said: [String] = []
      var faults: [String] = []
    }

    static func reports(_ files: [String]) -> [Report] {
      var repeated = RepeatedPayments()
      return files.map { report($0, &repeated) }
    }

    private static func report(_ file: String, _ repeated: inout RepeatedPayments) -> Report {
      let name = TerminalLine.of(file)
      guard let bytes = FileManager.default.contents(atPath: file) else {
        return Report(faults: ["\(name): cannot be read"])
      }
      do throws(MessageFault) {
        let message = try PaymentMessage.read(bytes)
        switch message {
        case .creditTransfers(let transfers):
          return Report(
            said: ["\(name): \(message.definition), \(transfers.transfers.count) transfers"],
            faults: repeated.note(transfers).map { repetition in
              switch repetition {
              case .message: "\(name): the message came before"
              case .transfer(let place): "\(name): transfer \(place + 1) came before"
              }
            })
        case .statement(let statements):
          let entries = statements.statements.reduce(0) { $0 + $1.entries.count }
          return Report(
            said: ["\(name): \(message.definition), \(statements.statements.count) statements, \(entries) entries"],
            faults: repeated.note(statements).map { _ in "\(name): the message came before" }
              + statements.statements.enumerated().compactMap { place, statement in
                guard let difference = statement.difference, difference.minorUnits != 0 else { return nil }
                return "\(name): statement \(place + 1) does not add up: \(difference.decimal) \(difference.currency)"
              })
        }
      } catch { return Report(faults: ["\(name): \(TerminalLine.of(error.description))"]) }
    }
  }
}
