// SPDX-License-Identifier: Apache-2.0

import Casework
import Console
import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixFlow
import RubixWire

/// Applications of Rubix that wait for a call, on case pages: the evidence, and the verdict of the call.
struct RubixCaseSource: CaseSource {
  /// The questions of the checklist (rubix-onboarding §6.14).
  private static let questions = [
    "face-matches-document", "document-shown-live", "customer-understands", "no-coercion",
  ]
  private static let notesMax = 4000

  let reader: CustomerReader
  let verdicts: VerdictCommands
  let retakes: RetakeCommands
  let tenants: Tenants

  init(_ rubix: RubixService) {
    (reader, verdicts, retakes, tenants) = (rubix.customerReader, rubix.verdicts, rubix.retakes, rubix.tenants)
  }

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    guard caller.member.permissions.contains(.readCustomers) else { throw Problem.notFound }
    let record = try await reader.review(Self.id(item), by: agent(caller, of: item))
    var material = ApplicationCaseDetails(record).material
    material.chain = item.subject
    let asked = try await verdicts.asked(about: Self.id(item), tenant: tenants.find(item.tenant))
    material.asked = asked.map { .init($0, takes: .approveVerdicts, [CaseDetails.Fact].all(of: $0.act) ?? []) }
    guard let call = record.call, caller.member.permissions.contains(.attendVideo) else { return material }
    material.forms = asked.compactMap { .carryingOut($0, by: caller.actor) }
    material.forms.append(Self.form(of: call.rawValue))
    if item.kind == .rubixReview {
      let taken = DocumentType.known.filter { type in record.images.contains { $0.type == type } }
      material.forms.append(
        .retake(
          taken.map { ($0.rawValue, Phrase("picture_\($0.rawValue.lowercased())")) },
          wordsMax: RetakeCommands.wordsMax))
    }
    return material
  }

  func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data {
    guard caller.member.permissions.contains(.readCustomers) else { throw Problem.notFound }
    let agent = try agent(caller, of: item)
    let pictures = ApplicationCaseDetails.pictures(of: try await reader.images(of: Self.id(item), tenant: agent.tenant))
    guard number > 0, pictures.indices.contains(number - 1) else { throw Problem.notFound }
    let picture = pictures[number - 1]
    return try await reader.preview(
      picture.image, of: Self.id(item), portrait: picture.isPortrait, by: agent, why: caller.why?.rawValue)
  }

  /// As `POST /agents/verification` decides, or asks for other pictures.
  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    if answer.verdict == "retake" {
      try await retakes.request(
        DocumentType.known.filter { answer["retake_\($0.rawValue)"] != nil }, words: answer["words"] ?? "",
        of: Self.id(item), by: agent(caller, of: item))
      return .whole
    }
    if answer.verdict == "carry_out" {
      return Self.decided(
        try await verdicts.carryOut(answer["approval"] ?? "", on: Self.id(item), by: agent(caller, of: item)))
    }
    let isAccepted = answer.verdict == "accepted"
    guard isAccepted || answer.verdict == "rejected", let call = answer["call"] else {
      throw Problem.validation([.init("/verdict", "unknown-value", "accepted or rejected.")])
    }
    let request = AgentVerificationRequest(
      appointmentID: call, customerID: item.subject, verdict: isAccepted ? .successful : .failed,
      checklist: Self.questions.compactMap { question in
        answer[question].map { ChecklistItem(code: question, result: ChecklistResult(rawValue: $0)) }
      },
      failureReason: answer["reason"].map { AgentFailureReason(rawValue: $0) },
      retryAllowed: answer["retry"] != nil, notes: answer["notes"])
    return Self.decided(
      try await verdicts.decide(RequestContent(bytes: WireJSON.encode(request)), by: agent(caller, of: item)))
  }

  /// Who asked keeps the case, for the same person carries the verdict out.
  private static func decided(_ outcome: VerdictCommands.Outcome) -> CaseDecided {
    if case .waiting = outcome { .part } else { .whole }
  }

  /// - Throws: `Problem` not-found for a case of another institution.
  private func agent(_ caller: CaseCaller, of item: Case) throws -> Agent {
    guard item.tenant == caller.member.tenant else { throw Problem.notFound }
    return Agent(
      member: caller.member, identity: AccessIdentity(caller.session, scope: "console"),
      tenant: try tenants.find(caller.member.tenant))
  }

  private static func id(_ item: Case) -> Application.ID { .init(rawValue: item.subject) }

  private static func form(of call: String) -> CaseDetails.Form {
    let answers = ["yes", "no", "not_applicable"].map { (code: $0, label: Phrase("answer_\($0)")) }
    let reasons = AgentFailureReason.known.map { (code: $0.rawValue, label: Phrase("failure_\($0.rawValue)")) }
    var form = CaseDetails.Form(
      "verdict", Phrase("case_decision"),
      verdicts: [.init("accepted"), .init("rejected", isRefusal: true)],
      controls: questions.map { question in
        .init(
          question, Phrase("question_" + question.replacing("-", with: "_")), .choice(answers), isRequired: true)
      } + [
        .init("reason", Phrase("failure_reason"), .choice(reasons)),
        .init("retry", Phrase("failure_retry"), .tick),
        .init("notes", Phrase("case_notes"), .words(lengthMax: notesMax)),
      ])
    form.hidden = ["call": call]
    return form
  }
}
