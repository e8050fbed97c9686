// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

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

  /// Refuses a person whose file the law may ask to keep. Asked before anybody agrees to the erasure, so that a word
  /// is not given for nothing; `erase` asks again.
  /// - Throws: `Problem` conflict `duty-to-keep`.
  func requireNoDuty(_ subject: DataSubject, in tx: any SQLTransaction) throws

  /// Under which name the proof of an erasure is kept: unique in the installation, and the same whenever the subject is
  /// named in the same way.
  func proofName(of subject: DataSubject) -> String

  /// The tenants of a desk in which the flow has persons, as `DataSubject` names them.
  func tenants(in scope: TenantScope, in tx: any SQLTransaction) throws -> [String]

  /// The person that a name stands for in the tenant; nil when nothing is kept of them there.
  /// - Parameter name: of the characters of `RecordQuestion.isName`.
  func person(_ name: String, of tenant: String, in tx: any SQLTransaction) throws -> NamedPerson?
}

/// An eraser that goes on page by page, each a transaction of its own, and tells how far it has come.
package protocol PagedEraser: SubjectEraser {
  /// As `erase` without it.
  /// - Parameter progress: is told of each page once it is committed.
  func erase(
    _ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool, progress: WorkProgress
  ) async throws -> [String]
}

/// An eraser that ends the money of a person too, once a second person agreed to exactly the money that is there.
package protocol SubjectSettler: SubjectEraser {
  /// Codes of what may become of the money.
  var ways: [String] { get }
  /// The permission that the person who asks needs besides that to erase.
  var settling: FourEyes { get }

  /// Asks for the second person's word on the money.
  /// - Returns: the id of the approval; nil where there is no money.
  /// - Throws: `Problem` not found; conflict, such as `duty-to-keep` and `account-has-holds`.
  func propose(
    _ way: String, of subject: DataSubject, despiteDuty: Bool, in tx: any SQLTransaction
  ) throws -> String?

  /// Ends the money and erases the person.
  /// - Throws: as `erase` without it; forbidden `approval-required` before the second person agreed; conflict
  ///   `subject-changed` when there is other money than they agreed to.
  func erase(
    _ subject: DataSubject, settling way: String, approval: String, for reason: ErasureReason, despiteDuty: Bool
  ) async throws -> [String]
}

/// A person as the desk names them.
package struct NamedPerson: Sendable, Equatable {
  /// As exporter and eraser take it.
  package let name: String
  /// Under whose key what is asked for in their name is sealed, and by which their erasure forgets it.
  package let key: KeySubject
  package var id: String { key.id }

  /// For flows in which everyone has a key from the beginning.
  package init(_ name: String, id: String) { self.init(name, of: KeySubject(id)) }

  /// - Parameter key: with its tenant, where a person may have no key yet.
  package init(_ name: String, of key: KeySubject) { (self.name, self.key) = (name, key) }
}

extension SubjectEraser {
  /// For flows that know no such duty.
  package func requireNoDuty(_ subject: DataSubject, in tx: any SQLTransaction) throws {}

  /// For flows whose ids are unique in the installation.
  package func proofName(of subject: DataSubject) -> String { subject.id }
}

extension DataSubject {
  /// For flows whose ids are unique within a tenant only.
  /// - Parameter flow: the name of the flow's module.
  package func proofName(in flow: String) -> String { "\(flow)\u{0}\(tenant)\u{0}\(id)" }
}
