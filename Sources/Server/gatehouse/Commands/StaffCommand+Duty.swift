import ArgumentParser
import DocumentCore
import Foundation
import GatehouseApp
import Identity
import Kit
import RubixFlow
import Storage

/// Who works, and when.
extension StaffCommand {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the staff of a tenant.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "Tenant (default: default).")
    var tenant = "default"

    func run() async throws {
      let app = try await installation.app()
      for member in try await app.staff.list(tenant: app.tenants.find(tenant).id) {
        let permissions = member.permissions.sorted().map(\.rawValue).joined(separator: ",")
        let languages = member.languages.joined(separator: ",")
        let factor = try await app.staff.factors.state(of: member.id).isEnrolled ? "2fa" : "-"
        print(
          "\(member.id)  \(member.isActive ? "active   " : "suspended")  \(member.email)  \(member.name)  \(factor)  \(languages)  \(permissions)"
        )
      }
    }
  }

  struct Suspend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "End a member's sessions at once and let them sign in no more; booked calls stay with them.",
      aliases: ["disable"])

    @OptionGroup var chosen: MemberOptions

    func run() async throws {
      let (app, member, actor) = try await chosen.open()
      let calls = try await StaffDuty(app: app).setActive(false, of: member.id, by: actor)
      print("Suspended.")
      for call in calls { print("A call is booked with them: \(call.callTime.rfc3339), customer \(call.customerID)") }
    }
  }

  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a suspended member sign in again.", aliases: ["enable"])

    @OptionGroup var chosen: MemberOptions

    func run() async throws {
      let (app, member, actor) = try await chosen.open()
      _ = try await StaffDuty(app: app).setActive(true, of: member.id, by: actor)
      print("Active again.")
    }
  }

  struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Times in which a member takes no calls.", subcommands: [Add.self, List.self, Remove.self])

    struct Add: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Enter a leave. A day stands for its whole length in the tenant's time zone, the last one included.")

      @OptionGroup var chosen: MemberOptions
      @Option(help: "First day (2026-12-24) or instant (2026-12-24T08:00:00Z).")
      var from: String
      @Option(help: "Last day, or the instant of the return.")
      var until: String

      func run() async throws {
        let (app, member, actor) = try await chosen.open()
        let (leave, calls) = try await StaffDuty(app: app).addLeave(from: from, until: until, of: member.id, by: actor)
        print("Leave \(leave.id): \(leave.time.lowerBound.rfc3339) to \(leave.time.upperBound.rfc3339).")
        for call in calls { print("A call is booked in it: \(call.callTime.rfc3339), customer \(call.customerID)") }
      }
    }

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "List the leaves of a year from now on.")

      @OptionGroup var installation: InstallationOptions

      func run() async throws {
        let app = try await installation.app()
        for leave in try await StaffDuty(app: app).leaves() {
          print("\(leave.id)  \(leave.agentID)  \(leave.time.lowerBound.rfc3339)  \(leave.time.upperBound.rfc3339)")
        }
      }
    }

    struct Remove: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Take a leave back.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var administrator: AdministratorOptions
      @Argument(help: "The leave's id.")
      var leave: String

      func run() async throws {
        let app = try await installation.app()
        let duty = StaffDuty(app: app)
        guard let found = try await duty.leaves().first(where: { $0.id.rawValue == leave }) else {
          throw CommandFailure.notFound("there is no such leave ahead")
        }
        let tenant = try await app.staff.find(.init(rawValue: found.agentID)).tenant
        try await duty.removeLeave(found.id, by: try await administrator.actor(in: app, tenant: tenant))
        print("Removed.")
      }
    }
  }
}
