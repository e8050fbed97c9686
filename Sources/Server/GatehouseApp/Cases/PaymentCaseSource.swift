// SPDX-License-Identifier: Apache-2.0
import Casework
import Console
import FinapticFlow
import Foundation
import Identity
import Kit
import Payments

/// Money that no account took, and payments that other banks ask back, on case pages: what the messages said of them,
/// and what a member may decide. Where a second person has to agree, the same form is sent again after they agreed.
struct PaymentCaseSource: CaseSource {
  let settlement: Settlement
  let recalls: PaymentRecalls

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    guard Self.may(caller) else { throw Problem.notFound }
    let (tenant, actor) = (try tenantNumber(item.tenant), caller.actor)
    var material = CaseDetails()
    material.chain = "finaptic-\(item.kind == .recall ? "recall" : "payment")-\(item.subject)"
    guard item.kind == .recall else {
      let found = try await settlement.look(.init(rawValue: item.subject), of: tenant, by: actor)
      let payment = found.payment
      material.facts = Self.facts([
        ("amount", "\(payment.amount.decimal) \(payment.amount.currency)"),
        ("begins", Moment(payment.receivedAt).renderText),
        ("source", found.source?.rawValue),
      ])
      if let reason = payment.suspense {
        material.facts.append(.init("reason", Self.word("suspense", reason.rawValue)))
      }
      material.facts += Self.facts(of: payment.content)
      material.forms = [Self.assignment] + (payment.content?.own == nil ? [Self.sendBack, Self.dismissal] : [])
      return material
    }
    let found = try await recalls.look(.init(rawValue: item.subject), of: tenant, by: actor)
    let (asked, payment) = (found.recall.content, found.payment)
    material.facts = Self.facts([
      ("amount", (payment?.amount ?? asked?.money).map { "\($0.decimal) \($0.currency)" }),
      ("begins", Moment(found.recall.receivedAt).renderText), ("client", asked?.bic ?? asked?.member ?? asked?.name),
      ("code_of_bank", asked?.reason), ("reference", asked?.endToEndID), ("transaction", asked?.transactionID),
      ("payment", payment?.id.rawValue), ("account", payment?.account?.rawValue),
    ])
    material.facts.append(.init("standing", Self.word("payment", payment?.state.rawValue ?? "unknown")))
    material.facts += Self.facts(of: payment?.content)
    material.forms = (payment == nil ? [] : [Self.acceptance]) + [Self.rejection]
    if found.recall.state == .open { material.forms.append(Self.postponement) }
    return material
  }

  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    guard Self.may(caller) else { throw Problem.lacksPermission }
    let (tenant, actor) = (try tenantNumber(item.tenant), caller.actor)
    let (payment, recall) = (BankPayment.ID(rawValue: item.subject), PaymentRecall.ID(rawValue: item.subject))
    let waiting: RequestedApproval?
    switch (item.kind, answer.verdict) {
    case (.suspense, "assign"):
      waiting = try await settlement.assign(
        payment, to: .init(rawValue: (answer["account"] ?? "").lowercased()), of: tenant, under: .desk, by: actor)
    case (.suspense, "send-back"):
      let reason = try answer["reason"].map { try Self.code(ReturnReason.init(rawValue:), $0) }
      waiting = try await settlement.sendBack(payment, reason: reason, of: tenant, under: .desk, by: actor)
    case (.suspense, "dismiss"):
      waiting = try await settlement.dismiss(payment, of: tenant, under: .desk, by: actor)
    case (.recall, "accept-recall"):
      waiting = try await recalls.accept(recall, of: tenant, under: .desk, by: actor)
    case (.recall, "decline-recall"):
      let reason = try Self.code(CancellationRejection.init(rawValue:), answer["reason"] ?? "")
      try await recalls.decline(recall, because: reason, of: tenant, by: actor)
      waiting = nil
    case (.recall, "postpone-recall"):
      try await recalls.postpone(recall, of: tenant, by: actor)
      return .part
    default: throw Problem.unknownVerdict
    }
    guard waiting == nil else {
      throw Problem(
        .conflict, "second-person-asked", "A second person has to agree. Send the same again after their word.")
    }
    return .whole
  }

  // MARK: What is shown

  private static func facts(_ pairs: [(String, String?)]) -> [CaseDetails.Fact] {
    pairs.compactMap { label, text in CaseDetails.Fact(label, text) }
  }

  private static func facts(of said: BankPayment.Content?) -> [CaseDetails.Fact] {
    guard let said else { return [] }
    return facts([
      ("payer", said.debtor), ("payer_account", said.debtorAccount),
      ("payer_bank", said.debtorBIC ?? said.debtorMember), ("payee", said.creditor),
      ("payee_account", said.creditorAccount), ("purpose", said.remittance.joined(separator: " ")),
      ("reference", said.endToEndID), ("transaction", said.transactionID),
    ])
  }

  private static func word(_ topic: String, _ name: String) -> Phrase {
    Phrase("\(topic)_" + name.replacing("-", with: "_"))
  }

  private static func code<Code>(_ read: (String) -> Code?, _ text: String) throws -> Code {
    guard let code = read(text) else {
      throw Problem.validation([.init("/reason", "unknown", "One of the codes of the form.")])
    }
    return code
  }

  // MARK: What can be decided

  private static var assignment: CaseDetails.Form {
    CaseDetails.Form(
      "assign", Phrase("payment_assign"), verdicts: [.init("assign")],
      controls: [.init("account", Phrase("payment_account"), .line(lengthMax: 36), isRequired: true)])
  }

  private static var sendBack: CaseDetails.Form {
    CaseDetails.Form(
      "send-back", Phrase("payment_send_back"), verdicts: [.init("send-back", isRefusal: true)],
      controls: [
        .init(
          "reason", Phrase("payment_return_code"),
          .choice(ReturnReason.allCases.map { ($0.rawValue, Phrase(plain: $0.rawValue)) }))
      ])
  }

  private static var dismissal: CaseDetails.Form {
    CaseDetails.Form("dismiss", Phrase("payment_dismiss"), verdicts: [.init("dismiss", isRefusal: true)])
  }

  private static var acceptance: CaseDetails.Form {
    CaseDetails.Form("accept-recall", Phrase("recall_accept"), verdicts: [.init("accept-recall")])
  }

  private static var rejection: CaseDetails.Form {
    CaseDetails.Form(
      "decline-recall", Phrase("recall_decline"), verdicts: [.init("decline-recall", isRefusal: true)],
      controls: [
        .init(
          "reason", Phrase("reason"),
          .choice(
            CancellationRejection.allCases.map { ($0.rawValue, Phrase("recall_\($0.rawValue.lowercased())")) }),
          isRequired: true)
      ])
  }

  private static var postponement: CaseDetails.Form {
    var form = CaseDetails.Form("postpone-recall", Phrase("recall_postpone"), verdicts: [.init("postpone-recall")])
    form.isFinal = false
    return form
  }

  private static func may(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.postMoney) }
}
