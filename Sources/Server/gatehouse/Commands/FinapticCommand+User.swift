// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit

extension FinapticCommand {
  struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "user",
      abstract: "Block users, let them in again, see how they stand, end their money and erase them.",
      subcommands: [Block.self, Unblock.self, Show.self, Erase.self])

    struct UserOptions: ParsableArguments {
      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int
      @Argument(help: "E-mail address, username or id.")
      var user: String

      @OptionGroup var acting: OperatorOptions

      func setBlocked(_ isBlocked: Bool, approval: String? = nil) async throws {
        let app = try await installation.app(of: tenant)
        let outcome = try await app.finaptic.dependencies.users.setBlocked(
          isBlocked, user, tenant: tenant, key: .command(approval: approval),
          by: acting.actor(in: app, may: .blockUsers))
        switch outcome {
        case .waiting(let approval): try approval.show(output)
        case .done(let isNew):
          let words = isBlocked ? ("Blocked.", "Was blocked before.") : ("Unblocked.", "Was not blocked.")
          try output.done(isNew ? words.0 : words.1, changed: isNew)
        }
      }
    }

    struct Block: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "block", abstract: "End a user's sessions and let the user sign in no more.")
      @OptionGroup var options: UserOptions

      func run() async throws { try await options.setBlocked(true) }
    }

    struct Unblock: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Let a user sign in again.")
      @OptionGroup var options: UserOptions
      @OptionGroup var second: SecondPersonOptions

      func run() async throws { try await options.setBlocked(false, approval: second.approval) }
    }

    private struct SessionRow: Encodable {
      let id, createdAt, expiresAt: String
      let revokedAt, revokedReason: String?
    }

    private struct UserRow: Encodable {
      let id, email: String
      let emailVerifiedAt: String?
      let createdAt: String
      let customer, blockedAt: String?
      let failures: Int
      let lockedUntil: String?
      let secondFactors: [String]
      let sessions: [SessionRow]
    }

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show how a user stands; the look is kept in the audit.")
      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int
      @Argument(help: "E-mail address, username or id.")
      var user: String
      @OptionGroup var reader: ReaderOptions

      func run() async throws {
        let app = try await installation.app(of: tenant)
        let found = try await app.finaptic.dependencies.users.look(
          user, tenant: tenant, by: reader.actor(in: app, may: .readCustomers))
        let user = found.user
        guard !output.json else {
          let sessions = found.sessions.map {
            SessionRow(
              id: "\($0.id)", createdAt: $0.createdAt.rfc3339, expiresAt: $0.expiresAt.rfc3339,
              revokedAt: $0.revokedAt?.rfc3339, revokedReason: $0.revokedReason)
          }
          return try output.show(
            UserRow(
              id: "\(user.id)", email: "\(found.email)", emailVerifiedAt: user.emailVerifiedAt?.rfc3339,
              createdAt: user.createdAt.rfc3339, customer: user.customer.map { "\($0)" },
              blockedAt: user.blockedAt?.rfc3339, failures: Int(found.failures),
              lockedUntil: found.lockedUntil?.rfc3339,
              secondFactors: found.factors.map { "\($0)" }, sessions: sessions), [])
        }
        var lines: [String] = [
          "User: \(user.id)",
          "E-mail: \(found.email), \(user.emailVerifiedAt.map { "verified \($0.rfc3339)" } ?? "not verified")",
          "Since: \(user.createdAt.rfc3339)",
          "Customer: \(user.customer ?? "no")",
          "Blocked: \(user.blockedAt?.rfc3339 ?? "no")",
          "Failures in a row: \(found.failures)\(found.lockedUntil.map { ", locked until \($0.rfc3339)" } ?? "")",
          "Second factors: \(found.factors.isEmpty ? "none" : found.factors.joined(separator: ", "))",
        ]
        for session in found.sessions {
          let end = session.revokedAt.map { "ended \($0.rfc3339), \(session.revokedReason ?? "")" }
          lines.append(
            "Session: \(session.id)  \(session.createdAt.rfc3339)  \(end ?? "until \(session.expiresAt.rfc3339)")")
        }
        for line in lines { print(TerminalLine.of(line)) }
      }
    }
  }
}
