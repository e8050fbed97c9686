// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit

extension FinapticCommand.BankCommand {
  struct TermsUntold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "terms-untold",
      abstract: "List accounts of which an owner was not told of changed terms; with --told, note that the bank did.",
      discussion: """
        No mail reaches an owner without a user: write to them, then give --told. An account that could not be told is \
        tried again every hour. The change counts for an account when its notice has run out.
        """)

    @OptionGroup var options: BankOptions
    @Argument(help: "Id of the change, as `finaptic bank terms-changes` lists it.")
    var change: String
    @Option(help: "Id of an account of which every owner was told, such as by letter.")
    var told: String?
    @OptionGroup var acting: OperatorOptions

    func run() async throws {
      let app = try await options.app()
      let actor = try await acting.actor(in: app, may: .manageTenants)
      let (changes, id) = (app.finaptic.dependencies.termsChanges, TermsChange.ID(rawValue: change.lowercased()))
      if let told {
        try await changes.toldByBank(
          .init(rawValue: told.lowercased()), of: id, tenant: options.tenant, by: actor)
      }
      let rows = try await changes.unnotifiedAccounts(id, of: options.tenant).map {
        Row(
          account: $0.account.rawValue, kind: $0.kind.rawValue, owners: $0.owners, sentAt: $0.sentAt?.rfc3339,
          fault: $0.fault)
      }
      try options.output.list("accounts", rows) { row in
        let mail = row.sentAt.map { "told \($0)" } ?? "not told"
        let owners = row.owners.counted("owner", "owners")
        return "\(row.account)  \(row.kind)  \(row.fault ?? mail)  \(owners) without a user"
      }
    }

    private struct Row: Encodable {
      let account, kind: String
      let owners: Int
      let sentAt: String?
      /// Why the account could not be told.
      let fault: String?
    }
  }
}
