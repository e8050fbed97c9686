import Foundation
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

    package init(exporter: any SubjectExporter, eraser: any SubjectEraser) {
      (self.exporter, self.eraser) = (exporter, eraser)
    }
  }

  /// A request with what became of the second person's word; nil where that went with the person.
  package struct Entry: Sendable {
    package let request: RightsRequest
    package let approval: AskedApproval?
  }

  private let core: CoreDependencies
  private let erasures: SubjectErasures
  private let parties: [String: Party]
  /// Where a desk's persons are.
  private let places: @Sendable (_ desk: String) async throws -> [RightsPlace]

  /// - Parameter parties: by the name of the flow. A person has one id there, under which their key seals.
  package init(
    _ core: CoreDependencies, erasures: SubjectErasures, parties: [String: Party],
    places: @escaping @Sendable (_ desk: String) async throws -> [RightsPlace]
  ) {
    (self.core, self.erasures, self.parties, self.places) = (core, erasures, parties, places)
  }

  /// The newest requests of a desk, and where its persons are. The look is a line of the audit.
  package func list(for worker: CaseWorker) async throws -> (entries: [Entry], places: [RightsPlace]) {
    let places = try await places(worker.desk)
    let entries = try await core.database.write(retrying: .outdated) { [core] tx in
      try core.audit.append("rights.listed", to: worker.chain, by: worker.actor, in: tx)
      return try RightsRequestStore(tx).list(at: worker.desk, limit: Self.listMax).map {
        Entry(request: $0, approval: try core.cases.asked($0.approval, in: tx))
      }
    }
    return (entries, places)
  }

  /// Asks for the second person's word.
  /// - Parameters:
  ///   - subject: the person's id.
  ///   - reason: a code.
  /// - Throws: `Problem` not-found for a place of another desk and for a person of whom nothing is sealed; validation.
  @discardableResult
  package func ask(
    _ kind: RightsRequest.Kind, of subject: String, at place: RightsPlace, for reason: String, despiteDuty: Bool,
    by worker: CaseWorker
  ) async throws -> RightsRequest {
    guard parties[place.flow] != nil, try await places(worker.desk).contains(place) else { throw Problem.notFound }
    guard UUID(uuidString: subject) != nil else {
      throw Problem.validation([.init("/subject", "not-an-id", "The id of the person, a UUID.")])
    }
    guard let reason = ErasureReason(rawValue: reason) else {
      throw Problem.validation([
        .init("/reason", "not-a-code", "Lower-case letters, digits and hyphens, without long numbers.")
      ])
    }
    let person = subject.lowercased()
    return try await core.database.write(retrying: .outdated) { [core] tx in
      // A mistyped id would have a key made for it.
      if core.vault.subjectKeys != nil, try !core.vault.hasSubjectKey(of: person, in: tx) { throw Problem.notFound }
      let id = RightsRequest.ID(core.world)
      func request(_ approval: String) -> RightsRequest {
        RightsRequest(
          id: id, place: place, kind: kind, subject: person, reason: reason, despiteDuty: despiteDuty,
          maker: worker.actor, approval: approval, state: .awaiting, askedAt: core.world.now(), proof: nil, version: 1)
      }
      let approval = try core.cases.propose(
        request("").act, under: RightsRequest.rule, tenant: worker.desk, person: person, by: worker.actor,
        in: tx)
      let asked = request(approval)
      try RightsRequestStore(tx).insert(asked, at: worker.desk)
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
    let lines = try await party.eraser.erase(subject, for: request.reason, despiteDuty: request.despiteDuty)
    let (name, erasures) = (party.eraser.proofName(of: subject), erasures)
    let finished = try await core.database.write(retrying: .outdated) { [core] tx in
      guard var request = try RightsRequestStore(tx).find(id, at: worker.desk) else { throw Problem.notFound }
      request.proof = try erasures.proof(of: name, in: tx)
      try core.mover.move(&request, on: .finished, of: RightsRequestMachine(), by: worker.actor, in: tx)
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
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let request = try RightsRequestStore(tx).find(id, at: worker.desk), let proof = request.proof else {
        throw Problem.notFound
      }
      try core.audit.append("rights.proof_read", to: request.chain, by: worker.actor, in: tx)
      return proof
    }
  }

  /// Uses the second person's word up, once; what was begun can be repeated until that word would have expired.
  private func begin(
    _ kind: RightsRequest.Kind, _ id: RightsRequest.ID, by worker: CaseWorker
  ) async throws -> (RightsRequest, Party, DataSubject) {
    let request = try await core.database.write(retrying: .outdated) { [core] tx in
      guard var request = try RightsRequestStore(tx).find(id, at: worker.desk), request.kind == kind else {
        throw Problem.notFound
      }
      guard request.maker == worker.actor else { throw Self.notTheMaker }
      guard request.state != .finished, request.askedAt + Approval.lifetime > core.world.now() else { throw Self.over }
      if request.state == .awaiting {
        try core.mover.move(
          &request, on: .begun, of: RightsRequestMachine(), by: worker.actor, approval: request.approval, in: tx)
      }
      return request
    }
    guard let party = parties[request.place.flow], let subject = request.subject else { throw Problem.notFound }
    return (request, party, DataSubject(subject, of: request.place.tenant, by: worker.actor))
  }

  private static let notTheMaker = Problem(
    .forbidden, "not-the-maker", "Whoever asked for it carries it out.")
  private static let over = Problem(.conflict, "rights-over", "This request is over; ask again.")
}
