// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import HTTP
import Identity
import Kit

/// What a case page shows of the system that a case comes from, and what can be decided there. The application gives
/// one for each kind that pages can decide; other kinds are decided by the calls of their system.
package protocol CaseSource: Sendable {
  /// What there is to look at. The look is audited.
  /// - Throws: `Problem` not-found when nothing waits there any more, and for those who may not look.
  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails

  /// A picture as JPEG. The look is audited. Without it there are no pictures.
  /// - Parameter number: from 1, in the order of `CaseDetails.pictures`.
  /// - Throws: `Problem` not-found.
  func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data

  /// Decides.
  /// - Parameter answer: to one of `CaseDetails.forms`.
  /// - Throws: `Problem`, such as conflict `case-held`.
  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided
}

extension CaseSource {
  package func picture(_ number: Int, of item: Case, for caller: CaseCaller) async throws -> Data {
    throw Problem.notFound
  }
}

/// What became of a case by an answer.
package enum CaseDecided: Sendable {
  /// It is over for this person.
  case whole
  /// More is to be decided in it.
  case part
  /// Another person has to agree, and takes it from the queue.
  case needsAnother
}

/// Who works on a case, in which session of the console: a session that ends meanwhile decides nothing.
package struct CaseCaller: Sendable {
  package let worker: CaseWorker
  package let member: StaffMember
  package let session: SessionFamily
  /// Why they look, for the audit; nil for who acts.
  package let why: CaseAccess?

  package var actor: String { worker.actor }

  init(_ visit: StaffVisit, why: CaseAccess? = nil) {
    (worker, member, session, self.why) = (CaseWorker(visit.member), visit.member, visit.family, why)
  }
}

/// What a person answered on a case page.
package struct CaseAnswer: Sendable {
  /// As `CaseDetails.Form.code`.
  package let form: String
  /// As `CaseDetails.Verdict.code`.
  package let verdict: String
  private let fields: FormFields

  init(_ fields: FormFields) {
    (form, verdict, self.fields) = (fields["form"] ?? "", fields["verdict"] ?? "", fields)
  }

  /// What was filled in, without white space around it; nil for nothing.
  package subscript(_ control: String) -> String? {
    fields[Self.name(of: control)].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .flatMap { $0.isEmpty ? nil : $0 }
  }

  /// How a control is called in the page, so that no field of the page itself has its name.
  static func name(of control: String) -> String { "answer_\(control)" }
}
