import Casework
import Console
import Foundation
import Identity
import Kit
import WultraFlow

/// Reviews of Wultra on case pages: the pictures, and a verdict.
struct WultraCaseSource: CaseSource {
  let reviews: ReviewCommands

  func material(of item: Case, for worker: CaseWorker) async throws -> CaseMaterial {
    guard Self.maySee(worker) else { throw Problem.notFound }
    let (_, pictures) = try await reviews.detail(of: Self.id(item), tenant: item.tenant)
    return CaseMaterial(
      pictures: pictures.map { $0.document?.rawValue.lowercased() ?? "face" },
      verdicts: ReviewCase.Verdict.allCases.map(\.rawValue))
  }

  func picture(_ number: Int, of item: Case, for worker: CaseWorker) async throws -> Data {
    guard Self.maySee(worker) else { throw Problem.notFound }
    return try await reviews.picture(number, of: Self.id(item), tenant: item.tenant, by: worker.actor)
  }

  /// Who manages cases sees them and does not decide them by that.
  func decide(_ verdict: String, on item: Case, by worker: CaseWorker) async throws {
    guard Self.maySee(worker), worker.member?.permissions.contains(.attendVideo) == true else {
      throw Problem(.forbidden, "forbidden", "Your account does not have the permission for this.")
    }
    guard let verdict = ReviewCase.Verdict(rawValue: verdict) else {
      throw Problem.validation([.init("/verdict", "unknown-value", "accepted or rejected.")])
    }
    try await reviews.decide(Self.id(item), verdict, tenant: item.tenant, by: worker.actor)
  }

  /// Pictures of a customer are for those who may read customers, as over the API.
  private static func maySee(_ worker: CaseWorker) -> Bool {
    worker.member?.permissions.contains(.readCustomers) ?? true
  }

  private static func id(_ item: Case) -> ReviewCase.ID { .init(rawValue: item.subject) }
}
