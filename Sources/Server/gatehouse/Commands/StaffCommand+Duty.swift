// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentCore
import Foundation
import GatehouseApp
import Identity
import Kit
import RubixFlow
import Scheduling
import Storage

/// Calls that stay booked with a member who does not take them.
private struct BookedCalls: Encodable {
  struct Call: Encodable {
    let at, customer: String
  }

  /// Of the member, or of the leave.
  let id: String
  let calls: [Call]

  init(id: String, _ calls: [Appointment]) {
    self.id = id
    self.calls = calls.map { Call(at: $0.callTime.rfc3339, customer: "\($0.customerID)") }
  }
}

/// Who works, and when.
extension StaffCommand {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the staff of a tenant.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var tenant: TenantOptions

    func run() async throws {
      let app = try await installation.app()
      var rows: [Row] = []
      for member in try await app.staff.list(tenant: tenant.id(in: app)) {
        rows.append(Row(member, try await app.staff.factors.state(of: member.id)))
      }
      try output.list("staff", rows, line: \.line)
    }

    private struct Row: Encodable {
      let id, email, name: String
      let active, secondFactor, secondFactorLocked: Bool
      let languages, permissions: [String]

      init(_ member: StaffMember, _ factors: StaffFactors.State) {
        (id, email, name) = (member.id.rawValue, member.email, member.name)
        (active, languages) = (member.isActive, member.languages)
        (secondFactor, secondFactorLocked) = (factors.isEnrolled, factors.isAppLocked)
        permissions = member.permissions.sorted().map(\.rawValue)
      }

      var line: String {
        [
          id, active ? "active   " : "suspended", email, name,
          secondFactor ? secondFactorLocked ? "2fa locked" : "2fa" : "-",
          languages.joined(separator: ","), permissions.joined(separator: ","),
        ].joined(separator: "  ")
      }
    }
  }

  struct Suspend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "suspend",
      abstract: "End a member's sessions at once and let them sign in no more; booked calls stay with them.",
      aliases: ["disable"])

    @OptionGroup var chosen: MemberOptions

    func run() async throws {
      let (app, member, actor) = try await chosen.openColleague()
      let calls = try await StaffAvailability(app: app).setActive(false, of: member.id, by: actor)
      try chosen.output.show(
        BookedCalls(id: member.id.rawValue, calls),
        ["Suspended."]
          + calls.map { "A call is booked with them: \($0.callTime.rfc3339), customer \($0.customerID)" })
    }
  }

  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume", abstract: "Let a suspended member sign in again.", aliases: ["enable"])

    @OptionGroup var chosen: MemberOptions

    func run() async throws {
      let (app, member, actor) = try await chosen.open()
      _ = try await StaffAvailability(app: app).setActive(true, of: member.id, by: actor)
      try chosen.output.done("Active again.", id: member.id.rawValue)
    }
  }

  struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "leave",
      abstract: "Times in which a member takes no calls.", subcommands: [Add.self, List.self, Remove.self])

    struct Add: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Enter a leave. A day stands for its whole length in the tenant's time zone, the last one included.")

      @OptionGroup var chosen: MemberOptions
      @Option(help: "First day (2026-12-24) or instant (2026-12-24T08:00:00Z).")
      var from: String
      @Option(help: "Last day, or the instant of the return.")
      var until: String

      func run() async throws {
        let (app, member, actor) = try await chosen.open()
        let (leave, calls) = try await StaffAvailability(app: app).addLeave(
          from: from, until: until, of: member.id, by: actor)
        try chosen.output.show(
          BookedCalls(id: leave.id.rawValue, calls),
          ["Leave \(leave.id): \(leave.time.lowerBound.rfc3339) to \(leave.time.upperBound.rfc3339)."]
            + calls.map { "A call is booked in it: \($0.callTime.rfc3339), customer \($0.customerID)" })
      }
    }

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the leaves of a year from now on.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions

      func run() async throws {
        let app = try await installation.app()
        let rows = try await StaffAvailability(app: app).leaves().map {
          Row(
            id: $0.id.rawValue, member: $0.agentID, from: $0.time.lowerBound.rfc3339,
            until: $0.time.upperBound.rfc3339)
        }
        try output.list("leaves", rows) { "\($0.id)  \($0.member)  \($0.from)  \($0.until)" }
      }

      private struct Row: Encodable {
        let id, member, from, until: String
      }
    }

    struct Remove: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "remove", abstract: "Take a leave back.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @OptionGroup var administrator: AdministratorOptions
      @Argument(help: "The leave's id.")
      var leave: String

      func run() async throws {
        let app = try await installation.app()
        let duty = StaffAvailability(app: app)
        guard let found = try await duty.leaves().first(where: { $0.id.rawValue == leave }) else {
          throw CommandFailure.notFound("there is no such leave ahead")
        }
        let tenant = try await app.staff.find(.init(rawValue: found.agentID)).tenant
        try await duty.removeLeave(found.id, by: try await administrator.actor(in: app, tenant: tenant))
        try output.done("Removed.", id: leave)
      }
    }
  }
}
