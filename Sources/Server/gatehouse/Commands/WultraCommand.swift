// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import WultraFlow

/// What people decide in Wultra Digital Onboarding where evidence does not, and what users may ask for.
struct WultraCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wultra", abstract: "Decide on verifications that evidence does not decide; export and erase users.",
    subcommands: [ReviewCommand.self, User.self])

  struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "review", abstract: "Decide on verifications that wait for a person.",
      subcommands: [Reviews.self, Pictures.self, Decide.self])
  }

  struct User: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "user",
      abstract: "Export what is kept of a user, or erase it.", subcommands: [Export.self, Erase.self])
  }

  struct Reviews: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List what waits for a person, the longest waiting first; the look is kept in the audit.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var tenant: TenantOptions
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      let app = try await installation.app()
      let tenant = try tenant.id(in: app)
      let actor = try await reader.actor(in: app, may: .readCustomers, of: tenant)
      let queue = try await app.wultra.reviews.list(tenant: tenant, by: actor)
      let rows = queue.map {
        Row(id: $0.id.rawValue, openedAt: $0.openedAt.rfc3339, subject: $0.subject.rawValue, codes: $0.codes)
      }
      let lines = rows.map { "\($0.id)  \($0.openedAt)  \($0.subject)  \($0.codes.joined(separator: ","))" }
      try output.show(["reviews": rows], lines.isEmpty ? ["Nothing waits for a person."] : lines)
    }

    private struct Row: Encodable {
      let id, openedAt, subject: String
      let codes: [String]
    }
  }

  struct Pictures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pictures", abstract: "Write the pictures of a review into a folder; the look is kept in the audit.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The review's id.")
    var review: String
    @Argument(help: "Folder, which is made.")
    var folder: String
    @OptionGroup var tenant: TenantOptions
    @Option(help: "Who looks: id or e-mail address of a member of staff with read:customers.")
    var agent: String

    func run() async throws {
      let app = try await installation.app()
      let reviews = app.wultra.reviews
      let (id, tenant) = (ReviewCase.ID(rawValue: review.lowercased()), try tenant.id(in: app))
      let actor = try await app.staff.acting(agent, of: [tenant], may: .readCustomers).actor
      let count = try await reviews.detail(of: id, tenant: tenant, by: actor).pictures.count
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      var files: [String] = []
      for number in 0..<count {
        let picture = try await reviews.picture(number + 1, of: id, tenant: tenant, by: actor)
        let path = "\(folder)/\(id)-\(number + 1).jpg"
        // Of mode 0600 from the beginning, also where the folder was there and others read in it.
        try DurableFile.write(picture, to: path)
        files.append(path)
      }
      try output.list("files", files) { $0 }
    }
  }

  struct Decide: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decide", abstract: "Decide a review, for good, or ask for other pictures of documents.",
      discussion: """
        Where two persons decide (wultra.reviewFourEyes), the command asks and leaves with 6; a colleague agrees on \
        the console. Asking for other pictures takes one person.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The review's id.")
    var review: String
    @Argument(help: "accepted, rejected or retake.")
    var verdict: String
    @OptionGroup var tenant: TenantOptions
    @Option(help: "Why, in one line. It is kept as the user's, who is given it with an export.")
    var reason: String?
    @Option(name: .customLong("picture"), help: "With retake: the number of a picture that is taken again; repeated.")
    var pictures: [Int] = []
    @Option(help: "With retake: what the app tells the user to do better, in one line.")
    var words: String?
    @Option(help: "Who decides: id or e-mail address of a member of staff with read:customers and attend:video.")
    var agent: String
    @OptionGroup var second: SecondPersonOptions

    func run() async throws {
      guard let verdict = ReviewCase.Verdict(rawValue: verdict) else {
        throw ValidationError("A verdict is accepted, rejected or retake.")
      }
      guard verdict == .retake ? reason == nil && second.approval == nil : pictures.isEmpty && words == nil else {
        throw ValidationError(
          "--picture and --words go with retake, --reason and --approval with the other verdicts.")
      }
      let app = try await installation.app()
      let tenant = try tenant.id(in: app)
      let reviewer = try await app.staff.acting(agent, of: [tenant], may: .readCustomers, .attendVideo)
      let waiting = try await app.wultra.reviews.decide(
        .init(rawValue: review.lowercased()), verdict, reason: verdict == .retake ? words : reason, retaking: pictures,
        tenant: tenant, by: reviewer.actor, approval: second.approval)
      try waiting?.show(output)
      try output.done("Decided.", id: review.lowercased())
    }
  }
}
