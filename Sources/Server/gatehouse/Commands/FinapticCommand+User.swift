import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit

extension FinapticCommand {
  struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "user", abstract: "Block users, let them in again, see how they stand, end their money and erase them.",
      subcommands: [Block.self, Unblock.self, Show.self, Erase.self])

    struct UserOptions: ParsableArguments {
      @OptionGroup var installation: InstallationOptions
      @Argument(help: "The tenant's number.")
      var tenant: Int
      @Argument(help: "E-mail address, username or id.")
      var user: String

      @OptionGroup var acting: OperatorOptions

      func users() async throws -> FinapticUsers {
        try await installation.app().finaptic.dependencies.users
      }

      func setBlocked(_ isBlocked: Bool) async throws -> Bool {
        let app = try await installation.app()
        return try await app.finaptic.dependencies.users.setBlocked(
          isBlocked, user, tenant: tenant, by: acting.actor(in: app, may: .blockUsers))
      }
    }

    struct Block: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "End a user's sessions and let the user sign in no more.")
      @OptionGroup var options: UserOptions

      func run() async throws { print(try await options.setBlocked(true) ? "Blocked." : "Was blocked before.") }
    }

    struct Unblock: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Let a user sign in again.")
      @OptionGroup var options: UserOptions

      func run() async throws { print(try await options.setBlocked(false) ? "Unblocked." : "Was not blocked.") }
    }

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(abstract: "Show how a user stands.")
      @OptionGroup var options: UserOptions

      func run() async throws {
        let users = try await options.users()
        let found = try await users.look(options.user, tenant: options.tenant)
        let user = found.user
        print("User: \(user.id)")
        print("E-mail: \(found.email), \(user.emailVerifiedAt.map { "verified \($0.rfc3339)" } ?? "not verified")")
        print("Since: \(user.createdAt.rfc3339)")
        print("Customer: \(user.customer ?? "no")")
        print("Blocked: \(user.blockedAt?.rfc3339 ?? "no")")
        print("Failures in a row: \(found.failures)\(found.lockedUntil.map { ", locked until \($0.rfc3339)" } ?? "")")
        print("Second factors: \(found.factors.isEmpty ? "none" : found.factors.joined(separator: ", "))")
        for session in found.sessions {
          let end = session.revokedAt.map { "ended \($0.rfc3339), \(session.revokedReason ?? "")" }
          print("Session: \(session.id)  \(session.createdAt.rfc3339)  \(end ?? "until \(session.expiresAt.rfc3339)")")
        }
      }
    }
  }
}
