// SPDX-License-Identifier: Apache-2.0
import Casework
import Console
import FinapticFlow
import Foundation
import Identity
import Kit

/// Changed terms of which owners of accounts were not told, on case pages: which accounts wait, and that the bank told
/// the owners of one by itself. The rules are those of `finaptic bank terms-untold`.
struct TermsCaseSource: CaseSource {
  private static let told = "told"

  let changes: TermsChanges

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    guard Self.may(caller) else { throw Problem.notFound }
    let tenant = try tenantNumber(item.tenant)
    let found = try await changes.look(.init(rawValue: item.subject), of: tenant, by: caller.actor)
    let change = found.change.change
    var material = CaseDetails()
    material.chain = "finaptic-tenant-\(tenant)"
    material.facts = [
      .init("product", Phrase(plain: change.product)), .init("begins", Phrase(plain: "\(change.from)")),
      Self.fact("interest", Count(Int(change.yearlyInterest)).renderText),
      Self.fact("fee", "\(change.fee.decimal) \(change.fee.currency)"),
      Self.fact("announced_at", Moment(change.announcedAt).renderText),
      .init(labelled: Phrase("terms_state"), Phrase("terms_\(change.state.rawValue)")),
    ]
    for (code, count) in [
      ("owners", found.change.owners), ("not_told", found.change.deadLettered), ("waiting", found.change.waiting),
    ] where count > 0 {
      material.facts.append(Self.fact(code, Count(count).renderText))
    }
    // What could not be told is tried again every hour, and nothing else can be said of it.
    let waiting = found.unnotified.filter { $0.fault == nil }.map(\.account.rawValue)
    var accounts: [String] = []
    for account in waiting where accounts.last != account { accounts.append(account) }
    if !accounts.isEmpty { material.forms = [Self.telling(accounts)] }
    return material
  }

  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    guard Self.may(caller) else { throw Problem.lacksPermission }
    guard answer.verdict == Self.told else { throw Problem.unknownVerdict }
    let (tenant, id) = (try tenantNumber(item.tenant), TermsChange.ID(rawValue: item.subject))
    guard let account = answer["account"] else {
      throw Problem.validation([.init("/account", "required", "Choose the account.")])
    }
    do {
      try await changes.toldByBank(.init(rawValue: account), of: id, tenant: tenant, by: caller.actor)
    } catch let problem as Problem where problem == .notFound {
      // A colleague noted it meanwhile, or a mail reached the owners.
      throw Problem.validation([.init("/account", "unknown-value", "The owners of this account are told already.")])
    }
    return try await changes.unnotifiedAccounts(id, of: tenant).isEmpty ? .whole : .part
  }

  private static func fact(_ code: String, _ text: String) -> CaseDetails.Fact {
    .init(labelled: Phrase("terms_\(code)"), Phrase(plain: text))
  }

  private static func telling(_ accounts: [String]) -> CaseDetails.Form {
    var form = CaseDetails.Form(
      told, Phrase("terms_tell"), verdicts: [.init(told)],
      controls: [
        .init("account", Phrase("fact_account"), .choice(accounts.map { ($0, Phrase(plain: $0)) }), isRequired: true)
      ])
    form.isFinal = accounts.count == 1
    return form
  }

  private static func may(_ caller: CaseCaller) -> Bool {
    caller.member.permissions.contains(.manageTenants)
  }
}
