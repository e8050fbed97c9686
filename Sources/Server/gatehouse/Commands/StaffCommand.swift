// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Identity
import Kit
import Storage

struct StaffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "staff", abstract: "Manage the people who review.",
    subcommands: [
      Add.self, List.self, Password.self, Permissions.self, ResetFactors.self, Suspend.self, Resume.self, Leave.self,
      Join.self,
    ])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a member of staff; the password is read from standard input, the enrolment code is printed once.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var administrator: AdministratorOptions
    @Option(help: "E-mail address to sign in with.")
    var email: String
    @Option(help: "Full name.")
    var name: String
    @OptionGroup var tenant: TenantOptions
    @Option(help: "M or F; customers may prefer one for a call.")
    var gender: String
    @Option(help: "Languages, as in en,ar.")
    var languages = "en"
    @Option(help: "Permissions, as in attend:video,read:customers,decide:aml.")
    var permissions = "attend:video,read:customers"

    func validate() throws { _ = try StaffCommand.permissions(permissions) }

    func run() async throws {
      guard let gender = StaffMember.Gender(rawValue: gender) else { throw ValidationError("--gender is M or F") }
      let password = try StaffCommand.readPassword()
      let app = try await installation.app(orNew: true)
      let tenant = try tenant.id(in: app)
      let actor = try await administrator.actor(in: app, tenant: tenant)
      let (member, code) = try await app.staff.addWithEnrolmentCode(
        NewStaffMember(
          tenant: tenant, email: email, name: name, gender: gender,
          languages: StaffCommand.list(languages),
          permissions: try StaffCommand.permissions(permissions), password: password),
        by: actor)
      try StaffCommand.show(code, of: member.id, "Added \(member.name) as \(member.id).", output)
    }
  }

  struct Password: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "password",
      abstract: "Set a member's password, which is read from standard input, and end their sessions.")

    @OptionGroup var chosen: MemberOptions

    func run() async throws {
      let password = try StaffCommand.readPassword()
      let (app, member, actor) = try await chosen.open()
      try await app.staff.setPassword(password, of: member.id, by: actor)
      try chosen.output.done("The password is set, and every session has ended.", id: member.id.rawValue)
    }
  }

  struct Permissions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "permissions", abstract: "Replace what a member may do, from now on.")

    @OptionGroup var chosen: MemberOptions
    @Argument(help: "Permissions, as in attend:video,read:customers; an empty text takes all away.")
    var permissions: String

    func run() async throws {
      let (app, member, actor) = try await chosen.openColleague()
      let wanted = try StaffCommand.permissions(permissions, beside: member.permissions)
      try await app.database.write { try app.staff.setPermissions(wanted, of: member.id, by: actor, in: $0) }
      let names = wanted.sorted().map(\.rawValue)
      try chosen.output.show(
        StaffRow(id: member.id.rawValue, permissions: names),
        ["\(member.name) may now: \(names.joined(separator: ", "))"])
    }
  }

  struct ResetFactors: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset-second-factor",
      abstract: "Take a member's second factor away, end their sessions, and print a code to set another one up with.")

    @OptionGroup var chosen: MemberOptions

    func run() async throws {
      let (app, member, actor) = try await chosen.open()
      let code = try await app.database.write { try app.staff.factors.reset(member.id, by: actor, in: $0) }
      try StaffCommand.show(
        code, of: member.id, "The member has no second factor, and every session has ended.", chosen.output)
    }
  }

  private struct StaffRow: Encodable {
    let id: String
    let permissions: [String]
  }

  private static func show(
    _ code: StaffFactors.EnrolmentCode, of member: StaffMember.ID, _ words: String, _ output: OutputOptions
  ) throws {
    try output.show(
      ["id": member.rawValue, "enrolment_code": code.text, "expires_at": code.expiresAt.rfc3339],
      [
        words, "Enrolment code: \(code.text)",
        "It sets up one authenticator app until \(code.expiresAt.rfc3339), and is shown this once.",
      ])
  }

  private static func readPassword() throws -> String {
    guard let password = SecretInput.read("Password"), !password.isEmpty else {
      throw ValidationError("a password is expected on standard input")
    }
    guard !SecretInput.isTyped || SecretInput.read("The same again") == password else {
      throw ValidationError("the two passwords differ")
    }
    return password
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// - Parameter kept: what the member has, which an older release may have given under a name that is no longer known.
  /// - Throws: `ValidationError` for a name that opens nothing.
  static func permissions(
    _ text: String, beside kept: Set<StaffPermission> = []
  ) throws -> Set<StaffPermission> {
    let known = StaffRole.permissions(of: Set(StaffRole.allCases))
    let wanted = Set(list(text).filter { !$0.isEmpty }.map(StaffPermission.init(rawValue:)))
    let unknown = wanted.subtracting(known).subtracting(kept).map(\.rawValue).sorted()
    guard unknown.isEmpty else {
      let names = known.map(\.rawValue).sorted().joined(separator: ", ")
      throw ValidationError("no permission is called \(unknown.joined(separator: ", ")); they are \(names)")
    }
    return wanted
  }
}

/// Who changes the staff by a command.
struct AdministratorOptions: ParsableArguments {
  @Option(
    help:
      "Who acts: id or e-mail address of a member with manage:staff. Needed as soon as the tenant has such a member.")
  var agent: String?

  /// How the audit names who acts.
  func actor(in app: App, tenant: String) async throws -> String {
    if let agent { return try await app.staff.acting(agent, of: [tenant], may: .manageStaff).actor }
    // Before that there is only the operator, who adds the first one.
    let members = try await app.staff.list(tenant: tenant)
    guard !members.contains(where: { $0.isActive && $0.permissions.contains(.manageStaff) }) else {
      throw ValidationError("name who acts by --agent: a member with the permission manage:staff")
    }
    return OperatorOptions.machineUser
  }
}

/// A member of staff, and who changes something about them.
struct MemberOptions: ParsableArguments {
  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var administrator: AdministratorOptions
  @Argument(help: "The member's id or e-mail address.")
  var member: String

  func open() async throws -> (app: App, member: StaffMember, actor: String) {
    let app = try await installation.app()
    let member = try await find(in: app)
    return (app, member, try await administrator.actor(in: app, tenant: member.tenant))
  }

  /// The same for what decides whether a member signs in and what they may do: as on the console, an administrator
  /// does none of it to the own account.
  /// - Throws: `Problem` conflict `own-account`.
  func openColleague() async throws -> (app: App, member: StaffMember, actor: String) {
    let (app, member, actor) = try await open()
    guard member.actor != actor else { throw Problem.ownAccount }
    return (app, member, actor)
  }

  private func find(in app: App) async throws -> StaffMember {
    let typed = member.lowercased()
    guard typed.contains("@") else {
      do { return try await app.staff.find(.init(rawValue: typed)) } catch let problem as Problem
        where problem.category == .notFound
      { throw CommandFailure.notFound("There is no such member of staff.") }
    }
    var found: [StaffMember] = []
    for tenant in app.tenants.all {
      found += try await app.staff.list(tenant: tenant.id).filter { $0.email.lowercased() == typed }
    }
    guard found.count < 2 else {
      throw CommandFailure.refused("Members of several tenants have this e-mail address: name one by the id.")
    }
    guard let one = found.first else {
      throw CommandFailure.notFound("There is no member of staff with this e-mail address.")
    }
    return one
  }
}
