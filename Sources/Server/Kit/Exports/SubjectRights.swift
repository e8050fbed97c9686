import Foundation

/// Whom a request for access or erasure is about (GDPR art. 15, 17 and 20), as the flow names them.
package struct DataSubject: Sendable {
  /// The tenant; with Salt Edge the code of the bank.
  package let tenant: String
  /// The customer, the user or the membership.
  package let id: String
  /// Who asks, as in the audit log.
  package let actor: String

  package init(_ id: String, of tenant: String, by actor: String) {
    (self.id, self.tenant, self.actor) = (id, tenant, actor)
  }
}

/// Gives out what a flow keeps of a person. Every export is a line of the audit.
package protocol SubjectExporter: Sendable {
  /// - Parameters:
  ///   - includingRestricted: also what must not reach the person, where the flow keeps such things.
  ///   - add: is given each file, by its path within the export.
  /// - Throws: `Problem` not found.
  func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws
}

/// Forgets a person. Repeating it changes nothing.
package protocol SubjectEraser: Sendable {
  /// - Parameter despiteDuty: also where a duty to keep the file may stand against it (art. 17 (3) b).
  /// - Returns: what was erased, in sentences for the operator.
  /// - Throws: `Problem` not found; conflict `duty-to-keep`.
  func erase(_ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool) async throws -> [String]

  /// Under which name the proof of an erasure is kept: unique in the installation, and the same whenever the subject is
  /// named in the same way.
  func proofName(of subject: DataSubject) -> String
}

extension SubjectEraser {
  /// For flows whose ids are unique in the installation.
  package func proofName(of subject: DataSubject) -> String { subject.id }
}

extension DataSubject {
  /// For flows whose ids are unique within a tenant only.
  /// - Parameter flow: the name of the flow's module.
  package func proofName(in flow: String) -> String { "\(flow)\u{0}\(tenant)\u{0}\(id)" }
}
