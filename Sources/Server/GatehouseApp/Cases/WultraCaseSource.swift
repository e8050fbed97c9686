// SPDX-License-Identifier: Apache-2.0

import Casework
import Console
import Evidence
import Foundation
import Identity
import Kit
import WultraFlow

/// Reviews of Wultra on case pages: the evidence, and a verdict.
struct WultraCaseSource: CaseSource {
  /// Sides of documents that a verification can have, at most.
  private static let picturesMax = 20

  let reviews: ReviewCommands

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    guard Self.maySee(caller) else { throw Problem.notFound }
    let record = try await reviews.record(of: Self.id(item), tenant: item.tenant, by: caller.actor)
    var material = CaseDetails()
    material.pictures = record.pictures.map(Self.picture)
    material.facts = Self.facts(of: record, material.pictures)
    material.checks = record.checks.map(CaseDetails.Check.init)
    material.related = record.related.map { other in
      .init(
        subject: other.id.rawValue, state: Phrase("record_\(other.status.rawValue)"),
        shared: other.shared.map { Phrase("trait_\($0)") }, since: Moment(other.createdAt), repository: "verifications")
    }
    material.chain = record.chain
    let asked = record.isOpen ? try await reviews.asked(about: Self.id(item), tenant: item.tenant) : []
    material.asked = asked.map { approval in
      .init(approval, takes: .approveVerdicts, .reason(of: approval.act))
    }
    if record.isOpen, Self.mayDecide(caller) {
      material.forms =
        asked.compactMap { .carryingOut($0, by: caller.actor) } + [
          .init(
            "verdict", Phrase("case_decision"),
            verdicts: [.accepted, .rejected].map { (verdict: ReviewCase.Verdict) in
              .init(verdict.rawValue, isRefusal: verdict == .rejected)
            }, controls: [.init("reason", Phrase("reason"), .line(lengthMax: ReviewCommands.reasonMax))])
        ]
      if record.review.subject == .documents {
        let documents = material.pictures.enumerated().filter { $0.element.role == .document }
        material.forms.append(
          .retake(documents.map { ("\($0.offset + 1)", $0.element.label) }, wordsMax: ReviewCommands.reasonMax))
      }
    }
    return material
  }

  func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data {
    guard Self.maySee(caller) else { throw Problem.notFound }
    return try await reviews.picture(
      number, of: Self.id(item), withPortraits: true, tenant: item.tenant, by: caller.actor,
      why: caller.why?.rawValue)
  }

  /// Who manages cases sees them and does not decide them by that.
  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    guard Self.maySee(caller), Self.mayDecide(caller) else { throw Problem.lacksPermission }
    guard answer.verdict != "carry_out" else {
      let waiting = try await reviews.carryOut(
        answer["approval"] ?? "", on: Self.id(item), withPortraits: true, tenant: item.tenant, by: caller.actor)
      return waiting == nil ? .whole : .part
    }
    guard let verdict = ReviewCase.Verdict(rawValue: answer.verdict) else { throw Problem.unknownVerdict }
    guard verdict != .retake else {
      let numbers = (1...Self.picturesMax).filter { answer["retake_\($0)"] != nil }
      try await reviews.decide(
        Self.id(item), .retake, reason: answer["words"], retaking: numbers, withPortraits: true, tenant: item.tenant,
        by: caller.actor)
      return .whole
    }
    guard verdict == .accepted || answer["reason"] != nil else {
      throw Problem.validation([.init("/reason", "required", "Say why it is rejected.")])
    }
    let waiting = try await reviews.decide(
      Self.id(item), verdict, reason: answer["reason"], withPortraits: true, tenant: item.tenant, by: caller.actor)
    // Who asked keeps the case, for the same person carries the verdict out.
    return waiting == nil ? .whole : .part
  }

  /// Faces of the presence check and portraits stand side by side.
  private static func picture(_ picture: ReviewPicture) -> CaseDetails.Picture {
    guard let document = picture.document?.rawValue else { return .init(.face, named: "face") }
    guard !picture.isPortrait else { return .init(.face, .portrait(of: document)) }
    var shown = CaseDetails.Picture(.document, named: document)
    if let reading = picture.reading {
      shown.show(reading, width: reading.page.imageWidth, height: reading.page.imageHeight)
    }
    return shown
  }

  /// The person as the documents have them and the institution calls them, the device, and why it waits.
  private static func facts(
    of record: ReviewRecord, _ pictures: [CaseDetails.Picture]
  ) -> [CaseDetails.Fact] {
    let fields = pictures.flatMap(\.fields)
    func read(_ name: String) -> String? {
      fields.lazy.filter { $0.name == name }.compactMap { $0.machine ?? $0.printed }.first
    }
    let name = [read("given_names"), read("surname")].compactMap(\.self).joined(separator: " ")
    let device = record.activation?.device
    let facts: [CaseDetails.Fact?] = [
      .init("name", name), .init("birth_date", read("birth_date")), .init("nationality", read("nationality")),
      .init("user", record.user), .init("activation", record.activation?.id.rawValue),
      .init("device", device?.name), .init("platform", device?.platform),
    ]
    return facts.compactMap(\.self)
      + record.review.codes.map { .init("reason", Phrase(waitingFor: $0) ?? Phrase(plain: $0)) }
  }

  /// Pictures of a customer are for those who may read customers, as over the API.
  private static func maySee(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.readCustomers) }
  private static func mayDecide(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.attendVideo) }

  private static func id(_ item: Case) -> ReviewCase.ID { .init(rawValue: item.subject) }
}
