// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixFlow
import RubixWire

/// `gatehouse rubix`: what agents see and decide (rubix-onboarding §6.14), from a terminal.
struct RubixCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rubix",
    abstract: "See which applications wait for an agent, look at one, give a call's verdict, ask for other pictures.",
    subcommands: [Queue.self, Record.self, Verdict.self, Retake.self])

  /// Which institution, and in whose name.
  struct AgentOptions: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @OptionGroup var tenant: TenantOptions
    @Option(
      help: """
        Who acts: id or e-mail address of a member of staff with read:customers, and attend:video for a verdict and a \
        retake.
        """)
    var agent: String
    @OptionGroup var output: OutputOptions

    func open(deciding: Bool = false) async throws -> (RubixService, Agent) {
      let app = try await installation.app()
      let tenant = try app.tenants.find(tenant.name)
      let member =
        deciding
        ? try await app.staff.acting(agent, of: [tenant.id], may: .readCustomers, .attendVideo)
        : try await app.staff.acting(agent, of: [tenant.id], may: .readCustomers)
      return (app.rubix, Agent(member: member, identity: nil, tenant: tenant))
    }
  }

  struct Queue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "queue",
      abstract: "List the applications that wait, the longest waiting first; the look is kept in the audit.")

    @OptionGroup var agentOptions: AgentOptions
    @Option(help: "in_review or pending (calls of today); both without it.")
    var status: String?
    @Option(help: "At most so many, 1 to 100.")
    var limit = CustomerQueue.pageDefault
    @Option(help: "The next_cursor of the page before.")
    var cursor: String?

    func validate() throws {
      guard (1...CustomerQueue.pageMax).contains(limit) else { throw ValidationError("--limit is 1 to 100") }
      guard status.map({ CustomerQueue.Part(status: $0) != nil }) ?? true else {
        throw ValidationError("--status is in_review or pending")
      }
      guard cursor.map({ QueueCursor($0) != nil }) ?? true else {
        throw ValidationError("--cursor is the next_cursor of a page")
      }
    }

    func run() async throws {
      let (rubix, agent) = try await agentOptions.open()
      let page = try await rubix.queue.page(
        status.flatMap { CustomerQueue.Part(status: $0) } ?? .all, after: cursor.flatMap { QueueCursor($0) },
        limit: limit, for: agent)
      var lines = page.customers.map { entry in
        """
        \(entry.id)  \(entry.status.rawValue)  \(entry.reason?.rawValue ?? "-")  since \(entry.waitingSince)  \
        call \(entry.appointment.map { "\($0.callTime)" } ?? "-")  \(TerminalLine.of(entry.name ?? "-"))
        """
      }
      if lines.isEmpty { lines = ["Nothing waits."] }
      if let next = page.nextCursor { lines.append("More: --cursor \(next)") }
      try agentOptions.output.show(page, lines)
    }
  }

  struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "case", abstract: "Print everything that is known of an applicant; the look is kept in the audit.",
      discussion: "The lines are an outline, and --json is the answer of GET /customers/{id}.")

    @OptionGroup var agentOptions: AgentOptions
    @Argument(help: "The customer's id.")
    var id: String

    func run() async throws {
      let (rubix, agent) = try await agentOptions.open()
      let record = try await rubix.customerReader.view(.init(rawValue: id.lowercased()), by: agent)
      try agentOptions.output.show(record, Self.lines(record))
    }

    static func lines(_ record: Customer360) -> [String] {
      let customer = record.customer
      let name = [customer.firstName, customer.middleName, customer.lastName].compactMap(\.self)
      return ["\(customer.id)  \(customer.status.rawValue)  \(record.lastStep.rawValue)"]
        + ["name  \(TerminalLine.of(name.joined(separator: " ")))"]
        + record.nextSteps.map { "next  \($0.method) \($0.path)" }
        + record.documents.map { "picture  \($0.id)  \($0.type.rawValue)  \($0.status.rawValue)" }
        + record.verifications.map { "checks  \($0.id)  \($0.status.rawValue)" }
        + record.appointments.map { "call  \($0.id)  \($0.callTime)  \($0.status.rawValue)" }
        + record.verdicts.map { "verdict  \($0.appointmentID)  \($0.verdict.rawValue)  \($0.decidedOn)" }
        + record.timeline.map { "\($0.at)  \($0.event)  \($0.actor)" }
    }
  }

  struct Retake: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retake",
      abstract: "Ask a customer under review for other pictures, instead of the call that is booked.")

    @OptionGroup var agentOptions: AgentOptions
    @Argument(help: "The customer's id.")
    var customer: String
    @Argument(help: "Types of the pictures, as gatehouse rubix case shows them: passport, selfie and so on.")
    var pictures: [String]
    @Option(help: "What to do better, for the customer; at most 280 characters in one line.")
    var words: String

    func run() async throws {
      let (rubix, agent) = try await agentOptions.open(deciding: true)
      let id = customer.lowercased()
      try await rubix.retakes.request(
        pictures.map { DocumentType(rawValue: $0.uppercased()) }, words: words, of: .init(rawValue: id), by: agent)
      try agentOptions.output.done("Asked for.", id: id)
    }
  }

  struct Verdict: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verdict", abstract: "Give the verdict of a call that took place; the first one counts.",
      discussion: """
        The questions of a checklist are face-matches-document, document-shown-live, customer-understands and \
        no-coercion; a successful call needs a yes to each, and an institution may have more. Where two persons decide \
        (verdict_four_eyes), the command asks and leaves with 6; a colleague agrees on the console.
        """)

    @OptionGroup var agentOptions: AgentOptions
    @Argument(help: "The customer's id.")
    var customer: String
    @Argument(help: "successful or failed.")
    var verdict: String
    @Option(
      name: .customLong("answer"),
      help: "Question and answer, as in no-coercion=yes; repeated. Answers are yes, no and not_applicable.")
    var answers: [String] = []
    @Option(
      help: """
        Why the call failed: identity_mismatch, document_suspect, coercion_suspected, technical, customer_left or other.
        """)
    var reason: String?
    @Flag(help: "After a failed call: another one is offered.")
    var retry = false
    @Flag(help: "Keep what standard input holds as notes for colleagues.")
    var notes = false
    @Option(help: "The call, as gatehouse rubix case shows it (default: the one that is booked).")
    var call: String?
    @OptionGroup var second: SecondPersonOptions

    func validate() throws {
      guard AgentVerdict.known.contains(.init(rawValue: verdict.uppercased())) else {
        throw ValidationError("A verdict is successful or failed.")
      }
      guard Self.checklist(answers) != nil else { throw ValidationError("--answer is QUESTION=ANSWER") }
    }

    /// - Returns: nil for an answer without its question.
    static func checklist(_ answers: [String]) -> [ChecklistItem]? {
      let parts = answers.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
      guard parts.allSatisfy({ $0.count == 2 }) else { return nil }
      return parts.map { ChecklistItem(code: $0[0], result: ChecklistResult(rawValue: $0[1])) }
    }

    func run() async throws {
      let (rubix, agent) = try await agentOptions.open(deciding: true)
      let id = customer.lowercased()
      var booked = call
      if booked == nil {
        booked = try await rubix.customerReader.review(.init(rawValue: id), by: agent).call?.rawValue
      }
      guard let booked else { throw CommandFailure.notFound("No call is booked with this customer.") }
      var words: String?
      if notes { words = String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self) }
      let request = AgentVerificationRequest(
        appointmentID: booked, customerID: id, verdict: .init(rawValue: verdict.uppercased()),
        checklist: Self.checklist(answers) ?? [], failureReason: reason.map { AgentFailureReason(rawValue: $0) },
        retryAllowed: retry, notes: words)
      switch try await rubix.verdicts.decide(
        RequestContent(bytes: WireJSON.encode(request)), by: agent, approval: second.approval)
      {
      case .waiting(let approval): try approval.show(agentOptions.output)
      case .decided(let view):
        try agentOptions.output.show(
          view, ["\(view.verdict.rawValue)  \(view.customerStatus.rawValue)  \(view.lastStep.rawValue)"])
      }
    }
  }
}
