// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage

/// What a person asked of the institution (GDPR art. 15, 17 and 20), as a member of staff asks for it at the desk and
/// carries it out once a second one agreed.
package struct RightsRequest: Sendable, Equatable {
  package typealias ID = Identifier<RightsRequest>

  package enum Kind: String, Sendable, CaseIterable, SQLConvertible { case export, erasure }

  /// What becomes of the person's money, a code of the flow, with the request for the word of a second person on it.
  package struct Settling: Sendable, Equatable {
    package let way: String
    package let approval: String
  }

  /// What the actions of its acts begin with.
  static let actPrefix = "rights."

  private static let despiteWords = "despite a duty to keep"

  /// Two members who may erase.
  static let rule = FourEyes(maker: "erase:customers", checker: "erase:customers")
  package static let permission = StaffPermission(rawValue: rule.maker)

  package let id: ID
  package let place: FlowTenant
  package let kind: Kind
  /// The person, as the flow names them; nil once they were erased.
  package var subject: NamedPerson?
  package let reason: ErasureReason
  /// Also where a duty to keep the file may stand against it (art. 17 (3) b).
  package let despiteDuty: Bool
  /// Who asked, and carries it out.
  package let maker: String
  /// The request for the second person's word.
  package let approval: String
  /// What becomes of the person's money; nil where nothing was said of it.
  package let money: Settling?
  package var state: RightsRequestState
  package let askedAt: Instant
  /// The signed proof of the erasure; nil before, and of an export.
  package var proof: Data?
  package var version: Int64

  var chain: String { "rights-\(id)" }

  /// What the second person agrees to. The person is in the content alone, which is sealed and erased: the audit keeps
  /// the act's subject.
  var act: BoundAct {
    let words = [
      "person \(subject?.name ?? "")", "flow \(place.flow)", "tenant \(place.tenant)", "reason \(reason.rawValue)",
    ]
    let more = (despiteDuty ? [Self.despiteWords] : []) + (money.map { ["money \($0.way)"] } ?? [])
    return BoundAct(
      Self.actPrefix + kind.rawValue, subject: id.rawValue, version: version,
      content: (words + more).joined(separator: "; "))
  }
}

extension RightsRequest {
  /// What the second person is told, by its parts. No name, code or tenant has a semicolon.
  package struct Summary: Sendable, Equatable {
    package let person: String
    package let place: FlowTenant
    /// A code.
    package let reason: String
    package let despiteDuty: Bool
    /// A code of what becomes of the person's money; nil where nothing was said of it.
    package let money: String?

    /// Nil for an act of another kind.
    package init?(_ act: BoundAct) {
      guard act.action.hasPrefix(RightsRequest.actPrefix) else { return nil }
      let parts = act.content.components(separatedBy: "; ")
      func value(_ name: String) -> String? {
        parts.first { $0.hasPrefix("\(name) ") }.map { String($0.dropFirst(name.count + 1)) }
      }
      guard let person = value("person"), let flow = value("flow"), let tenant = value("tenant"),
        let reason = value("reason")
      else { return nil }
      (self.person, place, self.reason) = (person, FlowTenant(flow: flow, tenant: tenant), reason)
      (despiteDuty, money) = (parts.contains(RightsRequest.despiteWords), value("money"))
    }
  }
}

/// Where persons are whom a desk answers for: a flow, and a tenant as that flow names it.
package struct FlowTenant: Sendable, Hashable {
  package let flow: String
  package let tenant: String

  package init(flow: String, tenant: String) { (self.flow, self.tenant) = (flow, tenant) }
}

package enum RightsRequestState: String, Sendable, CaseIterable, SQLConvertible {
  case awaiting
  /// The second person's word is used up. An erasure that was interrupted goes on; an export can be fetched again.
  case begun
  case finished
}

package enum RightsRequestEvent: String, Sendable, CaseIterable { case begun, finished }

/// The life of a request. Diagram: docs/flows/rights-request.mmd.
let rightsRequestFlow: TransitionTable<RightsRequestState, RightsRequestEvent, Never> = .init([
  .init(.awaiting, on: .begun, to: .begun).under(RightsRequest.rule),
  .init(.begun, on: .finished, to: .finished),
])

/// The moves of rows of `casework_rights`.
struct RightsRequestMachine: StateMachine {
  typealias State = RightsRequestState
  typealias Event = RightsRequestEvent
  typealias Effect = Never

  let flow = "rights"
  let vault: Vault
  var table: TransitionTable<State, Event, Effect> { rightsRequestFlow }
  var state: WritableKeyPath<RightsRequest, RightsRequestState> { \.state }

  func prepare(_ request: inout RightsRequest, for move: Move) {
    if move.to == .finished { request.subject = nil }
  }

  func save(_ request: inout RightsRequest, in tx: any SQLTransaction) throws {
    try RightsRequestStore(tx, vault: vault).save(request)
    request.version += 1
  }

  func auditEntry(for move: Move, of request: RightsRequest) -> AuditEntry? {
    AuditEntry("rights.\(move.event.rawValue)", chain: request.chain, facts: request.facts)
  }

  func boundAct(of event: RightsRequestEvent, on request: RightsRequest) -> BoundAct? {
    event == .begun ? request.act : nil
  }
}

extension RightsRequest {
  /// Codes, and no id of the person: the chain outlives them.
  var facts: [String: String] {
    [
      "kind": kind.rawValue, "flow": place.flow, "tenant": place.tenant, "reason": reason.rawValue,
      "approval": approval, "money": money?.way, "money_approval": money?.approval,
    ].compactMapValues(\.self)
  }
}
