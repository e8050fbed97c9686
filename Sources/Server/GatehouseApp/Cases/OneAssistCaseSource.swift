// SPDX-License-Identifier: Apache-2.0

import Casework
import Console
import Foundation
import Kit
import OneAssistCore
import OneAssistFlow

/// Memberships of OneAssist on case pages: the photos beside what they have to show, a verdict on each, the code of
/// the secure screen, and the verdict on the membership.
struct OneAssistCaseSource: CaseSource {
  private static let reasonMax = 280

  let reviews: ReviewCommands

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    guard Self.maySee(caller) else { throw Problem.notFound }
    let found = try await reviews.open(Self.id(item), tenant: item.tenant, by: caller.actor)
    var material = CaseDetails()
    (material.facts, material.chain) = (Self.facts(of: found), found.membership.id.chain)
    material.pictures = found.photos.map { photo in
      var picture = CaseDetails.Picture(.document, named: photo.name.rawValue)
      picture.note = Phrase("photo_\(photo.status.rawValue.lowercased())")
      if let verdict = photo.verdict { picture.checks = [.init("screen-code", Self.result(of: verdict))] }
      return picture
    }
    material.related = try await reviews.related(to: Self.id(item), tenant: item.tenant).map { other in
      .init(
        subject: other.id.rawValue, state: Phrase("record_\(other.status.rawValue.lowercased())"),
        shared: other.shared.map { Phrase("trait_\($0.rawValue)") }, since: Moment(other.createdAt),
        repository: "memberships")
    }
    guard found.membership.status == .pending else { return material }
    let asked = try await reviews.asked(about: Self.id(item), tenant: item.tenant)
    material.asked = asked.map { approval in
      .init(approval, takes: .approveVerdicts, .reason(of: approval.act))
    }
    guard Self.mayDecide(caller) else { return material }
    material.forms = asked.compactMap { .carryingOut($0, by: caller.actor) }
    material.forms += found.photos.map(Self.form(of:)) + Self.codeForm(found.photos) + [Self.verdictForm]
    return material
  }

  func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data {
    guard Self.maySee(caller) else { throw Problem.notFound }
    let names = try await reviews.photoNames(of: Self.id(item), tenant: item.tenant)
    guard number > 0, names.indices.contains(number - 1) else { throw Problem.notFound }
    return try await reviews.picture(
      names[number - 1], of: Self.id(item), tenant: item.tenant, by: caller.actor, why: caller.why?.rawValue)
  }

  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    guard Self.maySee(caller), Self.mayDecide(caller) else { throw Problem.lacksPermission }
    let (id, tenant, actor) = (Self.id(item), item.tenant, caller.actor)
    guard answer.verdict != "carry_out" else {
      return Self.decided(try await reviews.carryOut(answer["approval"] ?? "", on: id, tenant: tenant, by: actor))
    }
    switch answer.form {
    case "membership":
      guard let verdict = ReviewCommands.Verdict(rawValue: answer.verdict) else { throw Problem.unknownVerdict }
      return Self.decided(
        try await reviews.decide(verdict, reason: answer["reason"], of: id, tenant: tenant, by: actor))
    case "code":
      _ = try await reviews.check(code: answer["digits"] ?? "", of: id, tenant: tenant, by: actor)
      return .part
    default:
      guard let verdict = ReviewCommands.PhotoVerdict(rawValue: answer.verdict) else { throw Problem.unknownVerdict }
      try await reviews.decide(
        photo: answer.form, verdict, reason: answer["reason"], of: id, tenant: tenant, by: actor)
      return .part
    }
  }

  /// Who asked keeps the case, for the same person carries the verdict out.
  private static func decided(_ outcome: ReviewCommands.Outcome) -> CaseDecided {
    if case .waiting = outcome { .part } else { .whole }
  }

  private static func facts(of found: ReviewCommands.Case) -> [CaseDetails.Fact] {
    let content = found.membership.content
    let facts: [CaseDetails.Fact?] = [
      .init("name", "\(content.firstName) \(content.lastName)".trimmingCharacters(in: .whitespaces)),
      .init("phone", content.mobile), .init("email", content.email),
      .init("make", content.make), .init("model", content.model),
      .init("imei", content.imei), .init("imei2", content.imei2), .init("address", content.address),
      .init("invoice_date", content.invoiceDate?.description), .init("invoice_value", "\(content.invoiceValue)"),
    ]
    let flags = found.membership.flags.sorted().map { flag in
      CaseDetails.Fact("flag", Phrase("flag_" + flag.rawValue.replacing("-", with: "_")))
    }
    return facts.compactMap(\.self) + flags
  }

  private static func form(of photo: Photo) -> CaseDetails.Form {
    let name = photo.name.rawValue
    var form = CaseDetails.Form(
      name, Phrase("picture_\(name.lowercased())"),
      verdicts: [.init("accept"), .init("refuse", isRefusal: true)],
      controls: [.init("reason", Phrase("photo_reason"), .line(lengthMax: reasonMax))])
    form.isFinal = false
    return form
  }

  /// For a photo of the secure screen whose code was not verified.
  private static func codeForm(_ photos: [Photo]) -> [CaseDetails.Form] {
    guard photos.contains(where: { $0.name == .screenImage && $0.verdict != .verified }) else { return [] }
    var form = CaseDetails.Form(
      "code", Phrase("photo_code"), verdicts: [.init("check")],
      controls: [.init("digits", Phrase("photo_digits"), .line(lengthMax: 20), isRequired: true)])
    form.isFinal = false
    return [form]
  }

  private static var verdictForm: CaseDetails.Form {
    CaseDetails.Form(
      "membership", Phrase("case_decision"),
      verdicts: [.init("approve"), .init("reupload"), .init("reject", isRefusal: true)],
      controls: [.init("reason", Phrase("reason"), .line(lengthMax: reasonMax))])
  }

  private static func result(of verdict: CodeVerdict) -> String {
    switch verdict {
    case .verified: "pass"
    case .expired, .mismatch: "fail"
    case .unreadable: "inconclusive"
    }
  }

  /// Photos of a customer are for those who may read customers.
  private static func maySee(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.readCustomers) }
  private static func mayDecide(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.attendVideo) }

  private static func id(_ item: Case) -> Membership.ID { .init(rawValue: item.subject) }
}

extension Problem {
  static let lacksPermission = Problem(
    .forbidden, "forbidden", "Your account does not have the permission for this.")
  static let unknownVerdict = Problem.validation([
    .init("/verdict", "unknown-value", "One of the buttons of the page.")
  ])
}
