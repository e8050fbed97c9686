import Casework
import Foundation

/// What a case page shows of the system that a case comes from, and what can be decided there. The application gives
/// one for each kind that pages can decide; other kinds are decided by the calls of their system.
package protocol CaseSource: Sendable {
  /// What there is to look at.
  /// - Throws: `Problem` not-found when nothing waits there any more.
  func material(of item: Case, for worker: CaseWorker) async throws -> CaseMaterial

  /// A picture as JPEG. The look is audited.
  /// - Parameter number: from 1, in the order of `CaseMaterial.pictures`.
  /// - Throws: `Problem` not-found.
  func picture(_ number: Int, of item: Case, for worker: CaseWorker) async throws -> Data

  /// Decides.
  /// - Parameter verdict: one of `CaseMaterial.verdicts`.
  /// - Throws: `Problem`, such as conflict `case-held`.
  func decide(_ verdict: String, on item: Case, by worker: CaseWorker) async throws
}

/// What there is to look at in a case.
package struct CaseMaterial: Sendable {
  /// Of each picture: a key of the catalogue behind `picture_`, in small letters.
  package let pictures: [String]
  /// Codes; the catalogue has their words behind `verdict_`.
  package let verdicts: [String]

  package init(pictures: [String], verdicts: [String]) { (self.pictures, self.verdicts) = (pictures, verdicts) }
}
