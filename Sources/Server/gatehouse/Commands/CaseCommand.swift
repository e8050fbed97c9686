// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Casework
import CaseworkHTTP
import Foundation
import GatehouseApp
import GatehouseWire
import Identity
import Kit

/// `gatehouse case`: what waits for people, from a terminal.
struct CaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "case", abstract: "See what waits for people, and take it in hand.",
    subcommands: [
      List.self, Show.self, Next.self, Claim.self, Release.self, HandOver.self, Note.self, TakeBack.self,
    ])

  /// Which installation and institution, and who acts.
  struct Place: ParsableArguments {
    @OptionGroup var installation: InstallationOptions
    @OptionGroup var tenant: TenantOptions
    @Option(
      help: """
        Who acts: id or e-mail address of a member of staff. Needed as soon as the tenant has one who sees cases; only \
        what this machine's user asked for is taken back without.
        """)
    var agent: String?
    @OptionGroup var output: OutputOptions

    /// - Parameter byOperator: whether this machine's user acts also where there are members of staff.
    func open(byOperator: Bool = false) async throws -> (App, CaseWorker) {
      let (app, tenant) = (try await installation.app(), tenant.name)
      guard app.tenants.all.contains(where: { $0.id == tenant }) else {
        throw CommandFailure.notFound("There is no tenant \(tenant).")
      }
      guard let agent else {
        if !byOperator {
          try await app.requireNoMember(of: [tenant], who: "who sees cases") { !CaseWorker($0).kinds.isEmpty }
        }
        return (app, CaseWorker(operator: OperatorOptions.machineUser, at: tenant))
      }
      return (app, CaseWorker(try await app.staff.acting(agent, of: [tenant])))
    }

    /// A case is in the hands of a colleague, never of a machine's user.
    func openAsStaff() async throws -> (App, CaseWorker) {
      guard agent != nil else {
        throw ValidationError("Name the member of staff who acts, by --agent.")
      }
      return try await open()
    }

    func show(_ view: some Encodable, _ lines: [String]) throws { try output.show(view, lines) }

    func show(_ item: Case, _ app: App) throws {
      try show(CaseView(item, at: app.caseService.now), [CaseCommand.line(item, at: app.caseService.now)])
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List what waits, the oldest and riskiest first; the look is kept in the audit.")

    @OptionGroup var place: Place
    @Option(help: "Only of this kind, such as rubix-call; may be repeated.")
    var kind: [String] = []
    @Option(help: "open or claimed.")
    var state: String?
    @Option(help: "Only what this member of staff has in hand, by id.")
    var holder: String?
    @Flag(help: "Only what is overdue.")
    var overdue = false
    @Option(help: "The case or the subject with this id.")
    var id: String?
    @Option(help: "At most so many.")
    var limit = 25
    @Option(help: "The next_cursor of the page before.")
    var cursor: String?

    func validate() throws {
      let unknown = kind.filter { !CaseKind.known.contains(CaseKind(rawValue: $0)) }
      guard unknown.isEmpty else {
        let names = CaseKind.known.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("no kind of case is called \(unknown.joined(separator: ", ")); they are \(names)")
      }
    }

    func run() async throws {
      let (app, worker) = try await place.open()
      var parameters = kind.map { (name: "kind", value: $0) }
      for (name, value) in [("state", state), ("holder", holder), ("id", id), ("cursor", cursor)] {
        if let value { parameters.append((name: name, value: value)) }
      }
      parameters += [("overdue", overdue ? "true" : "false"), ("limit", "\(limit)")]
      let query = try CaseQuery(parameters, of: worker)
      let page = try await app.caseCommands.page(query, for: worker)
      var lines = page.cases.map { CaseCommand.line($0, at: page.at) }
      if lines.isEmpty { lines = ["Nothing waits."] }
      if let next = page.next { lines.append("More: --cursor \(next.text)") }
      try place.show(CasePageView(page), lines)
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Print a case with its notes and history; the look is kept in the audit.")

    @OptionGroup var place: Place
    @Argument(help: "The case's id.")
    var id: String

    func run() async throws {
      let (app, worker) = try await place.open()
      let file = try await app.caseCommands.file(.init(rawValue: id.lowercased()), for: worker)
      let now = app.caseService.now
      let notes = file.notes.map { "\($0.writtenAt.rfc3339)  \($0.author): \(TerminalLine.of($0.words))" }
      let steps = file.history.map { "\($0.at.rfc3339)  \($0.action)  \($0.actor)" }
      try place.show(CaseFileView(file, at: now), [CaseCommand.line(file.item, at: now)] + steps + notes)
    }
  }

  struct Next: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "next", abstract: "Take the first case in hand that no colleague has.")

    @OptionGroup var place: Place
    @Option(help: "Only of this kind; may be repeated.")
    var kind: [String] = []

    func run() async throws {
      let (app, worker) = try await place.openAsStaff()
      let kinds = kind.map { CaseKind(rawValue: $0) }
      guard let item = try await app.caseCommands.next(of: kinds, by: worker) else {
        return try place.show([String](), ["Nothing waits."])
      }
      try place.show(item, app)
    }
  }

  struct Claim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "claim", abstract: "Take a case in hand.")

    @OptionGroup var place: Place
    @Argument(help: "The case's id.")
    var id: String

    func run() async throws {
      let (app, worker) = try await place.openAsStaff()
      try place.show(try await app.caseCommands.claim(.init(rawValue: id.lowercased()), by: worker), app)
    }
  }

  struct Release: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "release", abstract: "Put a case back into the queue.")

    @OptionGroup var place: Place
    @Argument(help: "The case's id.")
    var id: String
    @Option(help: "Why, as a code such as end-of-shift.")
    var why: String

    func run() async throws {
      let (app, worker) = try await place.open()
      let item = try await app.caseCommands.release(.init(rawValue: id.lowercased()), why: why, by: worker)
      try place.show(item, app)
    }
  }

  struct HandOver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hand-over", abstract: "Give a case to a colleague who may hold it.")

    @OptionGroup var place: Place
    @Argument(help: "The case's id.")
    var id: String
    @Option(help: "The colleague: id or e-mail address.")
    var to: String
    @Option(help: "Why, as a code such as end-of-shift.")
    var why: String

    func run() async throws {
      let (app, worker) = try await place.open()
      let item = try await app.caseCommands.handOver(
        .init(rawValue: id.lowercased()), to: to, why: why, by: worker)
      try place.show(item, app)
    }
  }

  struct TakeBack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "take-back", abstract: "Take back what you asked a second person for.",
      discussion: """
        Also what was agreed to and is not carried out yet. What it is about stays as it is. Only the one who \
        asked does this: the member of staff given as --agent, or this machine's user.
        """)

    @OptionGroup var place: Place
    @Argument(help: "The approval's id, as the command that asked printed it.")
    var approval: String

    func run() async throws {
      let (app, worker) = try await place.open(byOperator: true)
      let taken = try await app.approvalCommands.withdraw(.init(rawValue: approval.lowercased()), by: worker)
      try place.output.done("Taken back.", id: taken.id.rawValue)
    }
  }

  struct Note: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "note",
      abstract: "Add a note with what standard input holds, so that it stays out of the shell's history.")

    @OptionGroup var place: Place
    @Argument(help: "The case's id.")
    var id: String

    func run() async throws {
      let (app, worker) = try await place.open()
      let words = String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self)
      let note = try await app.caseCommands.note(words, on: .init(rawValue: id.lowercased()), by: worker)
      try place.show(CaseNoteView(note), ["Noted."])
    }
  }

  static func line(_ item: Case, at now: Instant) -> String {
    let due = item.isOverdue(at: now) ? "overdue since" : "due"
    return """
      \(item.id)  \(item.kind.rawValue)  \(item.state.rawValue)  risk \(item.risk)  \(due) \(item.dueAt.rfc3339)  \
      \(item.holder ?? "-")  \(item.subject)
      """
  }
}
