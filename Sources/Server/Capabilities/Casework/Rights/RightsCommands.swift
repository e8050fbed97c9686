// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage

/// Export and erasure of a person at the desk, by the same exporters and erasers as the commands of the program, once a
/// second member of staff agreed.
package struct RightsCommands: Sendable {
  package static let listMax = 50

  /// What gives out and forgets what a flow keeps of a person.
  package struct Party: Sendable {
    let exporter: any SubjectExporter
    let eraser: any SubjectEraser
    var settler: (any SubjectSettler)? { eraser as? any SubjectSettler }

    package init(exporter: any SubjectExporter, eraser: any SubjectEraser) {
      (self.exporter, self.eraser) = (exporter, eraser)
    }
  }

  /// A request with what became of the second person's word, and of the one on money; nil where that went with the
  /// person, and where no money was spoken of.
  package struct Entry: Sendable {
    package let request: RightsRequest
    package let approval: RequestedApproval?
    package let money: RequestedApproval?
  }

  /// What is asked for in the name of a person.
  package struct NewRequest: Sendable {
    let kind: RightsRequest.Kind
    let person: String
    let place: FlowTenant
    let reason: String
    let despiteDuty: Bool
    let money: String?

    /// - Parameters:
    ///   - person: as the flow names them: an id, the bank's name of its user.
    ///   - reason: a code.
    ///   - money: a code of what becomes of the money of whom an erasure is about; nil says nothing of it.
    package init(
      _ kind: RightsRequest.Kind, of person: String, at place: FlowTenant, for reason: String,
      despiteDuty: Bool = false, money: String? = nil
    ) {
      (self.kind, self.person, self.place, self.reason) = (kind, person, place, reason)
      (self.despiteDuty, self.money) = (despiteDuty, kind == .erasure ? money : nil)
    }
  }

  private let core: CoreDependencies
  private let erasures: SubjectErasures
  private let parties: [String: Party]
  private let policy: CaseworkPolicy
  private var vault: Vault { core.vault }

  /// - Parameter parties: by the name of the flow.
  package init(
    _ core: CoreDependencies, erasures: SubjectErasures, parties: [String: Party], policy: CaseworkPolicy
  ) {
    (self.core, self.erasures, self.parties, self.policy) = (core, erasures, parties, policy)
  }

  /// What may become of the money of persons, in the flows that keep money: codes.
  package var ways: [String] {
    parties.keys.sorted().flatMap { parties[$0]?.settler?.ways ?? [] }
  }

  /// Where a desk's persons are.
  private func places(of desk: String) async throws -> [FlowTenant] {
    let (parties, scope) = (parties, policy.scope(of: desk))
    return try await core.database.read { tx in
      try parties.keys.sorted().flatMap { flow in
        try parties[flow]?.eraser.tenants(in: scope, in: tx).map { FlowTenant(flow: flow, tenant: $0) } ?? []
      }
    }
  }

  /// The newest requests of a desk, and where its persons are. The look is a line of the audit.
  package func list(for worker: CaseWorker) async throws -> (entries: [Entry], places: [FlowTenant]) {
    let places = try await places(of: worker.desk)
    let entries = try await core.database.write(retrying: .outdated) { [self] tx in
      try core.audit.append("rights.listed", to: worker.chain, by: worker.actor, facts: RecordAccess.list.facts, in: tx)
      return try RightsRequestStore(tx, vault: vault).list(at: worker.desk, limit: Self.listMax).map { request in
        Entry(
          request: request, approval: try core.cases.asked(request.approval, in: tx),
          money: try request.money.flatMap { try core.cases.asked($0.approval, in: tx) })
      }
    }
    return (entries, places)
  }

  /// Asks for the second person's word, and for one on the money where that is spoken of.
  /// - Throws: `Problem` not-found for a place of another desk, and for whom nothing is kept there; validation;
  ///   forbidden without the permission to move money; conflicts of the flow, such as `duty-to-keep`.
  @discardableResult
  package func ask(_ order: NewRequest, by worker: CaseWorker) async throws -> RightsRequest {
    let place = order.place
    guard let party = parties[place.flow], try await places(of: worker.desk).contains(place) else {
      throw Problem.notFound
    }
    guard RecordQuestion.isName(order.person) else {
      throw Problem.validation([.init("/subject", "not-an-id", "An id of at most 128 letters, digits and ._:@+/-")])
    }
    guard let reason = ErasureReason(rawValue: order.reason) else {
      throw Problem.validation([
        .init("/reason", "not-a-code", "Lower-case letters, digits and hyphens, without long numbers.")
      ])
    }
    if let way = order.money {
      guard let settler = party.settler, settler.ways.contains(way) else {
        throw Problem.validation([.init("/money", "unknown-value", "The flow has no such end of money.")])
      }
      let needed = StaffPermission(rawValue: settler.settling.maker)
      guard worker.member?.permissions.contains(needed) != false else { throw Self.mayNotSettle }
    }
    return try await core.database.write(retrying: .outdated) { [self] tx in
      guard let person = try party.eraser.person(order.person, of: place.tenant, in: tx) else { throw Problem.notFound }
      let named = DataSubject(person.name, of: place.tenant, by: worker.actor)
      if order.kind == .erasure, !order.despiteDuty { try party.eraser.requireNoDuty(named, in: tx) }
      // Made here where they have none yet: what the second person reads, which names them, goes with their key.
      _ = try vault.subjectKey(of: person.key, in: tx)
      let money = try order.money.flatMap { way in
        try party.settler?.propose(way, of: named, despiteDuty: order.despiteDuty, in: tx).map {
          RightsRequest.Settling(way: way, approval: $0)
        }
      }
      let id = RightsRequest.ID(core.world)
      func request(_ approval: String) -> RightsRequest {
        RightsRequest(
          id: id, place: place, kind: order.kind, subject: person, reason: reason, despiteDuty: order.despiteDuty,
          maker: worker.actor, approval: approval, money: money, state: .awaiting, askedAt: core.world.now(),
          proof: nil, version: 1)
      }
      let approval = try core.cases.propose(
        request("").act, under: RightsRequest.rule, tenant: worker.desk, person: person.id, by: worker.actor,
        in: tx)
      let asked = request(approval)
      try RightsRequestStore(tx, vault: vault).insert(asked, at: worker.desk)
      try core.audit.append("rights.asked", to: asked.chain, by: worker.actor, facts: asked.facts, in: tx)
      return asked
    }
  }

  /// Erases, and keeps the proof. Interrupted, the same again goes on.
  /// - Returns: what was erased, in sentences, and the request.
  /// - Throws: `Problem` not-found; forbidden `approval-required`, `not-the-maker`; conflict `rights-over`, and those
  ///   of the flow's eraser, such as `duty-to-keep`, after which the same again may succeed within the day.
  package func erase(
    _ id: RightsRequest.ID, by worker: CaseWorker
  ) async throws -> (lines: [String], request: RightsRequest) {
    let (request, party, subject) = try await begin(.erasure, id, by: worker)
    let lines: [String]
    if let money = request.money, let settler = party.settler {
      lines = try await settler.erase(
        subject, settling: money.way, approval: money.approval, for: request.reason, despiteDuty: request.despiteDuty)
    } else {
      lines = try await party.eraser.erase(subject, for: request.reason, despiteDuty: request.despiteDuty)
    }
    let (name, erasures) = (party.eraser.proofName(of: subject), erasures)
    let finished = try await core.database.write(retrying: .outdated) { [self] tx in
      var request = try find(id, for: worker, in: tx)
      request.proof = try erasures.proof(of: name, in: tx)
      try core.mover.move(
        &request, on: .finished, of: RightsRequestMachine(vault: vault), by: worker.actor, in: tx)
      return request
    }
    return (lines, finished)
  }

  /// Gives out what is kept of the person, without what must not reach them.
  /// - Throws: as `erase`.
  package func export(
    _ id: RightsRequest.ID, by worker: CaseWorker, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    let (_, party, subject) = try await begin(.export, id, by: worker)
    try await party.exporter.export(subject, includingRestricted: false, add)
  }

  /// The signed proof of an erasure of the desk. The look is a line of the audit.
  /// - Throws: `Problem` not-found.
  package func proof(_ id: RightsRequest.ID, for worker: CaseWorker) async throws -> Data {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let request = try find(id, for: worker, in: tx)
      guard let proof = request.proof else { throw Problem.notFound }
      try core.audit.append(
        "rights.proof_read", to: request.chain, by: worker.actor, facts: RecordAccess.list.facts, in: tx)
      return proof
    }
  }

  /// Uses the second person's word up, once; what was begun can be repeated until that word would have expired.
  private func begin(
    _ kind: RightsRequest.Kind, _ id: RightsRequest.ID, by worker: CaseWorker
  ) async throws -> (RightsRequest, Party, DataSubject) {
    let request = try await core.database.write(retrying: .outdated) { [self] tx in
      var request = try find(id, for: worker, in: tx)
      guard request.kind == kind else { throw Problem.notFound }
      guard request.maker == worker.actor else { throw Self.notTheMaker }
      guard request.state != .finished, request.askedAt + Approval.lifetime > core.world.now() else { throw Self.over }
      if request.state == .awaiting {
        // Without the word on the money the flow would refuse, and the other word would be used up for nothing.
        if let money = request.money, try core.cases.asked(money.approval, in: tx)?.state != .approved {
          throw Problem.approvalRequired
        }
        try core.mover.move(
          &request, on: .begun, of: RightsRequestMachine(vault: vault), by: worker.actor, approval: request.approval,
          in: tx)
      }
      return request
    }
    guard let party = parties[request.place.flow], let subject = request.subject else { throw Problem.notFound }
    return (request, party, DataSubject(subject.name, of: request.place.tenant, by: worker.actor))
  }

  private func find(
    _ id: RightsRequest.ID, for worker: CaseWorker, in tx: any SQLTransaction
  ) throws -> RightsRequest {
    guard let request = try RightsRequestStore(tx, vault: vault).find(id, at: worker.desk) else {
      throw Problem.notFound
    }
    return request
  }

  private static let notTheMaker = Problem(
    .forbidden, "not-the-maker", "Only the member who asked for it carries it out.")
  private static let mayNotSettle = Problem(
    .forbidden, "forbidden", "Your account does not have the permission to move money.")
  private static let over = Problem(.conflict, "rights-over", "This request is over; ask again.")
}
