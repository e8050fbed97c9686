// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Identity
import Kit

/// What an operator does about the sessions of many, after an incident (docs/operations/incidents.md).
struct SessionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "End sessions of staff and customers, for an incident.",
    subcommands: [End.self])

  struct End: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "end",
      abstract: "End the sessions of a tenant's staff, of its customers, or of one person, on every node at once.",
      discussion: """
        They sign in again. Devices that Finaptic's pushes go to are forgotten with the sessions, and register again. \
        Wultra's and Salt Edge's apps have no sessions: see `powerauth activation block` and \
        `saltedge provider suspend`.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(
      help: "An institution, or a tenant of Finaptic such as finaptic-7 (default: default).",
      transform: TenantOptions.read)
    var tenant = "default"
    @Flag(help: "Those of every member of staff, the own one included.")
    var staff = false
    @Flag(help: "Those of every customer and applicant.")
    var customers = false
    @Option(help: "Instead: those of one user of Finaptic or applicant of Rubix, by the id.")
    var customer: String?
    @Option(
      help: """
        Who acts: id or e-mail address of a member of staff with manage:staff, for customers with block:users. Needed \
        as soon as there is such a member.
        """)
    var agent: String?
    @OptionGroup var confirmation: ConfirmationOptions

    func validate() throws {
      guard staff || customers || customer != nil, customer == nil || !staff && !customers else {
        throw ValidationError("name --staff, --customers or both, or --customer")
      }
      // The audit log keeps it: an e-mail address must not get there.
      guard customer == nil || customer?.canonicalUUID != nil else {
        throw ValidationError("--customer is the id of a user or an applicant, a UUID")
      }
    }

    private var holders: [SessionEnding.Holders] {
      if let customer { return [.customer(customer.canonicalUUID ?? customer)] }
      return (customers ? [.customers] : []) + (staff ? [.staff] : [])
    }

    func run() async throws {
      let number = tenant.hasPrefix("finaptic-") ? try? TenantNumber.read(tenant) : nil
      let app = if let number { try await installation.app(of: number) } else { try await installation.app() }
      // As sessions name it, also where it was written as `finaptic-07`.
      let tenant = if let number { TenantNumber.name(number) } else { try TenantOptions.id(self.tenant, in: app) }
      guard number == nil || !staff else {
        throw ValidationError("\(tenant) has no staff of its own: give --staff with the institution as --tenant")
      }
      let actor = try await actor(in: app)
      try confirmation.confirm("The sessions will end, and those who have them sign in again.")
      var count = 0
      for holders in holders {
        count += try await SessionEnding(core: app.core).end(holders, of: tenant, by: actor)
      }
      if let number {
        // Behind the sessions, so that none of them registers a device again. Of these holders none are staff.
        try await FinapticUsers.forgetDevices(of: customer?.canonicalUUID, tenant: number, in: app.database)
      }
      try output.show(["ended": count], ["\(count.counted("session", "sessions")) ended."])
    }

    /// - Throws: `Problem` forbidden for anyone but an active member with the permissions; `ValidationError` without a
    ///   name where there is a member with one of them.
    private func actor(in app: App) async throws -> String {
      let institutions = OperatorOptions.institutions(of: tenant, in: app)
      let needed: [StaffPermission] = (staff ? [.manageStaff] : []) + (staff && !customers ? [] : [.blockUsers])
      if let agent {
        var actor = ""
        for permission in needed { actor = try await app.staff.acting(agent, of: institutions, may: permission).actor }
        return actor
      }
      for institution in institutions {
        let members = try await app.staff.list(tenant: institution).filter(\.isActive)
        guard !members.contains(where: { !$0.permissions.isDisjoint(with: needed) }) else {
          throw ValidationError(
            "name who acts by --agent: a member with \(needed.map(\.rawValue).joined(separator: " and "))")
        }
      }
      return OperatorOptions.machineUser
    }
  }
}
