// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit

extension FinapticCommand.BankCommand {
  /// How accounts are numbered.
  struct Numbers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "numbers", abstract: "Say how a tenant numbers accounts; without an option, show it.",
      discussion: """
        Accounts of before without a number get one. A number stays with its account, also when others are numbered \
        otherwise afterwards.
        """)

    @OptionGroup var options: BankOptions
    @Option(help: "ISO 3166-1, two letters: CA for institution, transit and account, others for IBANs.")
    var country: String?
    @Option(help: "The institution's number in Canada; the bank code of an IBAN elsewhere.")
    var institution: String?
    @Option(help: "Its transit in Canada; the branch of an IBAN where the country has one.")
    var transit: String?
    @Option(help: "Digits of an account in Canada, its two check digits among them: 7 to 12, 10 if left out.")
    var digits: Int?
    @Flag(help: "Number in order, which shows how many accounts there are; at random if left out.")
    var sequential = false
    @OptionGroup var acting: OperatorOptions

    func validate() throws {
      guard (country == nil) == (institution == nil) else {
        throw ValidationError("--country and --institution go together")
      }
      guard country != nil || transit == nil && digits == nil && !sequential else {
        throw ValidationError("--transit, --digits and --sequential need --country")
      }
    }

    func run() async throws {
      let app = try await options.app()
      let actor = try await acting.actor(in: app, may: .manageTenants)
      let numbers = app.finaptic.dependencies.accountNumbers
      var given = 0
      if let country, let institution {
        given = try await numbers.set(
          country: country.uppercased(), bank: institution.uppercased(), branch: transit ?? "", digits: digits,
          isSequential: sequential, of: options.tenant, by: actor)
      }
      let rows = try await numbers.overview(of: options.tenant).map { overview in
        Row(
          country: overview.country, institution: overview.institution, transit: overview.transit,
          digits: overview.digits,
          order: overview.isSequential ? "sequential" : "random", complete: overview.isFilled, given: given)
      }
      try options.output.list("numberings", [rows].compactMap(\.self)) { row in
        let codes = [row.country, row.institution, row.transit].filter { !$0.isEmpty }.joined(separator: " ")
        let rest =
          row.complete
          ? "each account has one"
          : "\(row.given.counted("account of before was", "accounts of before were")) numbered now, "
            + "the worker numbers what is left"
        return "\(codes)  \(row.digits.counted("digit", "digits")), \(row.order)  \(rest)"
      }
    }

    private struct Row: Encodable {
      let country, institution, transit: String
      let digits: Int
      let order: String
      let complete: Bool
      let given: Int
    }
  }
}
