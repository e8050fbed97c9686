// SPDX-License-Identifier: Apache-2.0

import Casework
import Console
import FinapticFlow
import Foundation
import Identity
import Kit

/// Disputes of payments by card, and money of cards that no account took, on case pages: what is known of them, and what
/// a member may book. Where a second person has to agree, the same form is sent again after they agreed.
struct CardCaseSource: CaseSource {
  let disputes: CardDisputes
  let suspense: CardSuspenseService

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    guard Self.may(caller) else { throw Problem.notFound }
    let tenant = try tenantNumber(item.tenant)
    var material = CaseDetails()
    material.chain = "finaptic-card-\(item.kind == .cardDispute ? "dispute" : "suspense")-\(item.subject)"
    guard item.kind == .cardDispute else {
      let found = try await suspense.look(.init(rawValue: item.subject), of: tenant, by: caller.actor)
      material.facts =
        [
          .init("amount", "\(found.money.decimal) \(found.money.currency)"), .init("account", found.account.rawValue),
          .init("begins", Moment(found.since).renderText),
        ].compactMap(\.self) + [
          .init("direction", Phrase("card_\(found.direction.rawValue)")),
          .init("reason", Phrase("card_" + found.reason.rawValue.replacing("-", with: "_"))),
        ]
      material.forms = [Self.booking, Self.writeOff]
      return material
    }
    let found = try await disputes.look(.init(rawValue: item.subject), of: tenant, by: caller.actor)
    material.facts = [
      .init("amount", "\(found.money.decimal) \(found.money.currency)"), .init("account", found.account.rawValue),
      .init("reference", found.reference), .init("code_of_network", found.reason),
      .init("begins", Moment(found.openedAt).renderText),
    ].compactMap(\.self)
    if found.mayCredit { material.forms = [Self.credit] }
    return material
  }

  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    guard Self.may(caller) else { throw Problem.lacksPermission }
    let (tenant, actor) = (try tenantNumber(item.tenant), caller.actor)
    let waiting: RequestedApproval?
    switch (item.kind, answer.verdict) {
    case (.cardDispute, "credit"):
      waiting = try await disputes.credit(.init(rawValue: item.subject), of: tenant, under: .desk, by: actor)
    case (.cardSuspense, "book"):
      waiting = try await suspense.resolve(
        .init(rawValue: item.subject), on: answer["account"].map { .init(rawValue: $0.lowercased()) }, of: tenant,
        under: .desk, by: actor)
    case (.cardSuspense, "write-off"):
      waiting = try await suspense.writeOff(
        .init(rawValue: item.subject), because: answer["reason"] ?? "", of: tenant, under: .desk, by: actor)
    default: throw Problem.unknownVerdict
    }
    guard waiting == nil else {
      throw Problem(
        .conflict, "second-person-asked", "A second person has to agree. Send the same again after their word.")
    }
    // Until the network has decided a dispute, its case stays.
    return item.kind == .cardDispute ? .part : .whole
  }

  private static var credit: CaseDetails.Form {
    var form = CaseDetails.Form("credit", Phrase("card_credit"), verdicts: [.init("credit")])
    form.isFinal = false
    return form
  }

  private static var booking: CaseDetails.Form {
    CaseDetails.Form(
      "book", Phrase("card_book"), verdicts: [.init("book")],
      controls: [.init("account", Phrase("card_other_account"), .line(lengthMax: 36))])
  }

  private static var writeOff: CaseDetails.Form {
    CaseDetails.Form(
      "write-off", Phrase("card_write_off"), verdicts: [.init("write-off", isRefusal: true)],
      controls: [
        .init(
          "reason", Phrase("reason"),
          .choice(PostingReason.allCases.map { ($0.rawValue, Phrase("posting_\($0.rawValue.lowercased())")) }),
          isRequired: true)
      ])
  }

  private static func may(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.postMoney) }
}
