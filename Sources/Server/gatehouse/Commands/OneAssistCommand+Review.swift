import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import OneAssistFlow

/// Which membership, and who decides.
struct ReviewOptions: ParsableArguments {
  @Argument(help: "The membership's id.")
  var membership: String
  @Option(help: "Tenant (default: default).")
  var tenant = "default"
  @Option(
    help:
      "Who acts: id or e-mail address of a member of staff with read:customers, and attend:video to decide or erase.")
  var agent: String

  var id: Membership.ID { .init(rawValue: membership) }

  /// The tenant, and how the audit names who acts.
  func reviewer(in app: App, deciding: Bool) async throws -> (tenant: String, actor: String) {
    let tenant = try app.tenants.find(tenant).id
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
      abstract: "List memberships that wait for a decision, the longest waiting first.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "Tenant (default: default).")
    var tenant = "default"

    func run() async throws {
      let app = try await installation.app()
      for review in try await app.oneAssist.reviews.queue(tenant: app.tenants.find(tenant).id) {
        let photos = review.photos.map { photo in
          "\(photo.name.rawValue)=\(photo.status.rawValue)" + (photo.verdict.map { "(\($0.rawValue))" } ?? "")
        }
        let flags = review.membership.flags.sorted().map(\.rawValue).joined(separator: ",")
        print("\(review.membership.id)  \(photos.joined(separator: " "))  \(flags)")
      }
    }
  }

  struct Pictures: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the photos of a membership into a folder; the look is kept in the audit.")

    @OptionGroup var installation: InstallationOptions
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
      for (name, bytes) in pictures {
        let path = "\(folder)/\(review.membership)-\(name).jpg"
        guard FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
        else { throw CommandFailure.refused("\(path) cannot be written") }
        print(path)
      }
    }
  }

  struct Photo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Accept or refuse a photo.")

    @OptionGroup var installation: InstallationOptions
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
      print("Decided.")
    }
  }

  struct Code: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check the code that stands in the photo of the secure screen.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var review: ReviewOptions
    @Argument(help: "Eleven digits.")
    var digits: String

    func run() async throws {
      let app = try await installation.app()
      let (tenant, actor) = try await review.reviewer(in: app, deciding: true)
      let verdict = try await app.oneAssist.reviews.check(
        code: digits, of: review.id, tenant: tenant, by: actor)
      print(verdict.rawValue)
    }
  }

  struct Verdict: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Decide on a membership: approve, reupload or reject.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var review: ReviewOptions
    @Argument(help: "approve, reupload or reject.")
    var verdict: String
    @Option(help: "Why it is rejected.")
    var reason: String?

    func run() async throws {
      guard let verdict = ReviewCommands.Verdict(rawValue: verdict) else {
        throw ValidationError("A verdict is approve, reupload or reject.")
      }
      let app = try await installation.app()
      let (tenant, actor) = try await review.reviewer(in: app, deciding: true)
      let status = try await app.oneAssist.reviews.decide(
        verdict, reason: reason, of: review.id, tenant: tenant, by: actor)
      print(status.rawValue)
    }
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write everything that is kept of a membership, opened, with the photos.",
      discussion: """
        membership.json and images/ are for whose membership it is. The look is kept in the audit. Structure: \
        docs/rights.md.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var review: ReviewOptions
    @OptionGroup var destination: ExportDestination

    func run() async throws {
      let app = try await installation.app()
      try await destination.write(
        try await review.subject(in: app), from: app.module(named: OneAssistModule.name), of: app)
    }
  }

  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget what is personal about a membership that has ended, at once.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var review: ReviewOptions
    @OptionGroup var proof: ErasureProofOptions

    func run() async throws {
      let app = try await installation.app()
      let (subject, module) = (
        try await review.subject(in: app, deciding: true), try app.module(named: OneAssistModule.name)
      )
      for line in try await app.erase(subject, from: module, for: .ended) { print(line) }
      try await app.forgetOlderPages()
      try await proof.write(subject, from: module, of: app)
    }
  }
}
