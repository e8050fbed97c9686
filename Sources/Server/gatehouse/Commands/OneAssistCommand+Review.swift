// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import OneAssistFlow

/// Which membership, and who decides.
struct ReviewOptions: ParsableArguments {
  @Argument(help: "The membership's id.")
  var membership: String
  @OptionGroup var tenant: TenantOptions
  @Option(
    help:
      "Who acts: id or e-mail address of a member of staff with read:customers, and attend:video to decide or erase.")
  var agent: String

  var id: Membership.ID { .init(rawValue: membership) }

  /// The tenant, and how the audit names who acts.
  func reviewer(in app: App, deciding: Bool) async throws -> (tenant: String, actor: String) {
    let tenant = try tenant.id(in: app)
    let member =
      deciding
      ? try await app.staff.acting(agent, of: [tenant], may: .readCustomers, .attendVideo)
      : try await app.staff.acting(agent, of: [tenant], may: .readCustomers)
    return (tenant, member.actor)
  }

  func subject(in app: App, deciding: Bool = false) async throws -> DataSubject {
    let (tenant, actor) = try await reviewer(in: app, deciding: deciding)
    return DataSubject(membership, of: tenant, by: actor)
  }
}

extension OneAssistCommand {
  struct Reviews: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List memberships that wait for a decision, the longest waiting first.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var tenant: TenantOptions
    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      let app = try await installation.app()
      let tenant = try tenant.id(in: app)
      let actor = try await reader.actor(in: app, may: .readCustomers, of: tenant)
      let queue = try await app.oneAssist.reviews.queue(tenant: tenant, by: actor)
      let rows = queue.map { review in
        Row(
          membership: review.membership.id.rawValue,
          photos: review.photos.map {
            Photo(name: $0.name.rawValue, status: $0.status.rawValue, verdict: $0.verdict?.rawValue)
          }, flags: review.membership.flags.sorted().map(\.rawValue))
      }
      try output.list("reviews", rows) { row in
        let photos = row.photos.map { "\($0.name)=\($0.status)" + ($0.verdict.map { "(\($0))" } ?? "") }
        return "\(row.membership)  \(photos.joined(separator: " "))  \(row.flags.joined(separator: ","))"
      }
    }

    private struct Photo: Encodable {
      let name, status: String
      let verdict: String?
    }

    private struct Row: Encodable {
      let membership: String
      let photos: [Photo]
      let flags: [String]
    }
  }

  struct Pictures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pictures",
      abstract: "Write the photos of a membership into a folder; the look is kept in the audit.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var review: ReviewOptions
    @Argument(help: "Folder, which is made.")
    var folder: String

    func run() async throws {
      let app = try await installation.app()
      let commands = app.oneAssist.reviews
      let (tenant, actor) = try await review.reviewer(in: app, deciding: false)
      var pictures: [(name: String, bytes: Data)] = []
      for photo in try await commands.open(review.id, tenant: tenant, by: actor).photos {
        pictures.append(
          (
            photo.name.rawValue,
            try await commands.picture(photo.name, of: review.id, tenant: tenant, by: actor)
          ))
      }
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      var files: [String] = []
      for (name, bytes) in pictures {
        let path = "\(folder)/\(review.membership)-\(name).jpg"
        // Of mode 0600 from the beginning, also where the folder was there and others read in it.
        try DurableFile.write(bytes, to: path)
        files.append(path)
      }
      try output.list("files", files) { $0 }
    }
  }

  struct Photo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "photo", abstract: "Accept or refuse a photo.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var review: ReviewOptions
    @Argument(help: "The photo's name, such as BACK_IMAGE.")
    var name: String
    @Argument(help: "accept or refuse.")
    var verdict: String
    @Option(help: "Why it is refused, for the person who takes it again.")
    var reason: String?

    func run() async throws {
      guard let verdict = ReviewCommands.PhotoVerdict(rawValue: verdict) else {
        throw ValidationError("A verdict is accept or refuse.")
      }
      let app = try await installation.app()
      let (tenant, actor) = try await review.reviewer(in: app, deciding: true)
      try await app.oneAssist.reviews.decide(
        photo: name, verdict, reason: reason, of: review.id, tenant: tenant, by: actor)
      try output.done("Decided.", id: review.membership)
    }
  }

  struct Code: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "code", abstract: "Check the code that stands in the photo of the secure screen.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var review: ReviewOptions
    @Argument(help: "Eleven digits.")
    var digits: String

    func run() async throws {
      let app = try await installation.app()
      let (tenant, actor) = try await review.reviewer(in: app, deciding: true)
      let verdict = try await app.oneAssist.reviews.check(
        code: digits, of: review.id, tenant: tenant, by: actor)
      try output.show(["verdict": verdict.rawValue], [verdict.rawValue])
    }
  }

  struct Verdict: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decide", abstract: "Decide on a membership: approve, reupload or reject.",
      discussion: """
        Where two persons decide (membership_four_eyes), the command asks and leaves with 6; a colleague agrees on the \
        console. Asking for photos again takes one person.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var review: ReviewOptions
    @Argument(help: "approve, reupload or reject.")
    var verdict: String
    @Option(help: "Why it is rejected.")
    var reason: String?
    @OptionGroup var second: SecondPersonOptions

    func run() async throws {
      guard let verdict = ReviewCommands.Verdict(rawValue: verdict) else {
        throw ValidationError("A verdict is approve, reupload or reject.")
      }
      let app = try await installation.app()
      let (tenant, actor) = try await review.reviewer(in: app, deciding: true)
      let outcome = try await app.oneAssist.reviews.decide(
        verdict, reason: reason, of: review.id, tenant: tenant, by: actor, approval: second.approval)
      switch outcome {
      case .decided(let status): try output.show(["status": status.rawValue], [status.rawValue])
      case .waiting(let approval): try approval.show(output)
      }
    }
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write everything that is kept of a membership, opened, with the photos.",
      discussion: """
        membership.json and images/ are for whose membership it is. The look is kept in the audit. Structure: \
        docs/rights.md.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var review: ReviewOptions
    @OptionGroup var destination: ExportDestination

    func run() async throws {
      let app = try await installation.app()
      try await destination.write(
        try await review.subject(in: app), from: app.module(named: OneAssistModule.name), of: app,
        output: output)
    }
  }

  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase", abstract: "Forget what is personal about a membership that has ended, at once.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var review: ReviewOptions
    @OptionGroup var proof: ErasureProofOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
      let app = try await installation.app()
      let (subject, module) = (
        try await review.subject(in: app, deciding: true), try app.module(named: OneAssistModule.name)
      )
      try confirmation.confirm("What is personal about \(subject.id) will be erased for good.")
      let erased = try await app.erase(subject, from: module, for: .ended)
      try await proof.finish(erased, subject, from: module, of: app, output: output)
    }
  }
}
