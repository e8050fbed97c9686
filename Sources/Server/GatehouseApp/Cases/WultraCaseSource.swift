import Casework
import Console
import Foundation
import Identity
import Kit
import WultraFlow

/// Reviews of Wultra on case pages: the pictures, and a verdict.
struct WultraCaseSource: CaseSource {
  let reviews: ReviewCommands

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseMaterial {
    guard Self.maySee(caller) else { throw Problem.notFound }
    let (_, pictures) = try await reviews.detail(of: Self.id(item), tenant: item.tenant)
    var material = CaseMaterial()
    material.pictures = pictures.map { .init(.document, named: $0.document?.rawValue ?? "face") }
    material.related = try await reviews.related(to: Self.id(item), tenant: item.tenant).map { other in
      .init(
        subject: other.id.rawValue, state: Phrase("record_\(other.status.rawValue)"),
        shared: other.shared.map { Phrase("trait_\($0)") }, since: Moment(other.createdAt), shelf: "verifications")
    }
    if Self.mayDecide(caller) {
      material.forms = [
        .init(
          "verdict", Phrase("case_decision"),
          verdicts: ReviewCase.Verdict.allCases.map { .init($0.rawValue, isRefusal: $0 == .rejected) },
          controls: [.init("reason", Phrase("reason"), .line(lengthMax: ReviewCommands.reasonMax))])
      ]
    }
    return material
  }

  func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data {
    guard Self.maySee(caller) else { throw Problem.notFound }
    return try await reviews.picture(number, of: Self.id(item), tenant: item.tenant, by: caller.actor)
  }

  /// Who manages cases sees them and does not decide them by that.
  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    guard Self.maySee(caller), Self.mayDecide(caller) else { throw Problem.lacksPermission }
    guard let verdict = ReviewCase.Verdict(rawValue: answer.verdict) else { throw Problem.unknownVerdict }
    guard verdict == .accepted || answer["reason"] != nil else {
      throw Problem.validation([.init("/reason", "required", "Say why it is rejected.")])
    }
    try await reviews.decide(
      Self.id(item), verdict, reason: answer["reason"], tenant: item.tenant, by: caller.actor)
    return .whole
  }

  /// Pictures of a customer are for those who may read customers, as over the API.
  private static func maySee(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.readCustomers) }
  private static func mayDecide(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.attendVideo) }

  private static func id(_ item: Case) -> ReviewCase.ID { .init(rawValue: item.subject) }
}
