// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Identity
import Kit

extension StaffCommand {
  struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "join-openid",
      abstract: "Join an account of the institution's identity provider to a member, who signs in by it from then on.")

    @OptionGroup var chosen: MemberOptions
    @Option(help: "The account's subject (sub) as the provider's tokens name it.")
    var subject: String

    func run() async throws {
      guard (1...255).contains(subject.utf8.count) else {
        throw ValidationError("--subject has 1 to 255 bytes")
      }
      let (app, member, actor) = try await chosen.openColleague()
      do { try await app.staffOpenID.join(subject, to: member, by: actor) } catch let problem as Problem
        where problem.category == .notFound
      { throw CommandFailure.refused("The settings name no identity provider for the tenant \(member.tenant).") }
      try chosen.output.done(
        "\(member.name) signs in by the identity provider, whose roles decide what they may do.",
        id: member.id.rawValue)
    }
  }
}
