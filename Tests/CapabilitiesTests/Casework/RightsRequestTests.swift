import Foundation
import Identity
import Kit
import Storage
import Synchronization
import Testing

@testable import Casework

@Suite("Casework: export and erasure with a second person")
struct RightsRequestTests {
  private static let person = "0198c3a1-0000-7000-8000-000000000001"
  private static let place = RightsPlace(flow: "parcels", tenant: "bank")

  /// A flow that keeps one file of each person, and can be made to refuse.
  private final class Flow: SubjectExporter, SubjectEraser {
    let erasures: SubjectErasures
    let database: any SQLDatabase
    let refusal = Mutex<Problem?>(nil)
    let erased = Mutex<[String]>([])

    init(_ app: CaseworkTestApp) { (erasures, database) = (SubjectErasures(app.core, columns: []), app.database) }

    func export(
      _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
    ) async throws { try add("customer.json", Data("\(subject.id) \(includingRestricted)".utf8)) }

    func erase(_ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool) async throws -> [String] {
      if let refusal = refusal.withLock({ $0 }) { throw refusal }
      try await database.write { [erasures] tx in
        let part = try erasures.part(of: KeySubject(subject.id), objects: 2, in: tx)
        try erasures.destroy([part], of: subject.id, for: reason, chains: [], in: tx)
      }
      erased.withLock { $0.append("\(subject.id) \(subject.actor) \(despiteDuty)") }
      return ["Erased."]
    }
  }

  private let app: CaseworkTestApp
  private let flow: Flow
  private let commands: RightsCommands
  private let maker: CaseWorker
  private let checker: CaseWorker

  init() async throws {
    app = try await CaseworkTestApp()
    flow = Flow(app)
    let place = Self.place
    commands = RightsCommands(
      app.core, erasures: flow.erasures, parties: ["parcels": .init(exporter: flow, eraser: flow)]
    ) { desk in desk == "bank" ? [place] : [] }
    maker = CaseWorker(try await app.member("maker@bank.example", RightsRequest.permission))
    checker = CaseWorker(try await app.member("checker@bank.example", RightsRequest.permission))
  }

  private func ask(_ kind: RightsRequest.Kind = .erasure, despiteDuty: Bool = false) async throws -> RightsRequest {
    try await commands.ask(
      kind, of: Self.person, at: Self.place, for: "art-17-request", despiteDuty: despiteDuty, by: maker)
  }

  private func agree(_ request: RightsRequest, _ isAgreed: Bool = true) async throws {
    _ = try await app.approvals.decide(.init(rawValue: request.approval), agreeing: isAgreed, by: checker)
  }

  /// The code of the problem that an attempt ends with; nil for success.
  private func code(_ attempt: () async throws -> Void) async throws -> String? {
    do { try await attempt() } catch let problem as Problem { return problem.code }
    return nil
  }

  @Test("an erasure happens once, by whoever asked, after the second person agreed to exactly it; its proof stays")
  func erasure() async throws {
    let request = try await ask(despiteDuty: true)
    let content = try await app.approvals.pending(for: checker).map(\.act.content)
    let words = "person \(Self.person); flow parcels; tenant bank; reason art-17-request; despite a duty to keep"
    #expect(content == [words])
    #expect(try await code { _ = try await commands.erase(request.id, by: maker) } == "approval-required")
    try await agree(request)
    #expect(try await code { _ = try await commands.erase(request.id, by: checker) } == "not-the-maker")
    #expect(try await code { try await commands.export(request.id, by: maker) { _, _ in } } == "not-found")
    let (lines, finished) = try await commands.erase(request.id, by: maker)
    #expect(lines == ["Erased."] && finished.subject == nil && finished.state == .finished)
    #expect(flow.erased.withLock { $0 } == ["\(Self.person) \(maker.actor) true"])
    #expect(try await code { _ = try await commands.erase(request.id, by: maker) } == "rights-over")
    let proof = try ErasureProof(try await commands.proof(request.id, for: checker), by: app.vault)
    #expect(proof.reason == "art-17-request" && proof.objects == 2)
    let (trail, word) = try await app.database.read { tx in
      try (AuditStore(tx).lines(of: request.chain), AuditStore(tx).lines(of: "approval-\(request.approval)"))
    }
    #expect(trail.map(\.action) == ["rights.asked", "rights.begun", "rights.finished", "rights.proof_read"])
    // The chains outlive the person, whom no line of them names.
    #expect(word.count == 3 && (trail + word).allSatisfy { !$0.facts.values.contains(Self.person) })
  }

  @Test("an erasure that its flow refused, or that was interrupted, goes on without another word, for a day")
  func interrupted() async throws {
    let request = try await ask()
    try await agree(request)
    flow.refusal.withLock { $0 = Problem(.conflict, "duty-to-keep", "") }
    #expect(try await code { _ = try await commands.erase(request.id, by: maker) } == "duty-to-keep")
    #expect(try await commands.list(for: maker).entries.map(\.request.state) == [.begun])
    // The person's rows go, and with them the approval; the request keeps the id until its proof is kept.
    try await app.database.write { [app] in try app.core.cases.forget(person: Self.person, in: $0) }
    flow.refusal.withLock { $0 = nil }
    #expect(try await commands.erase(request.id, by: maker).request.state == .finished)
    let late = try await ask()
    try await agree(late)
    app.clock.advance(by: Approval.lifetime)
    #expect(try await code { _ = try await commands.erase(late.id, by: maker) } == "rights-over")
    // What was begun and never finished here keeps no id beyond its day.
    let begun = try await ask()
    try await agree(begun)
    flow.refusal.withLock { $0 = Problem(.conflict, "duty-to-keep", "") }
    #expect(try await code { _ = try await commands.erase(begun.id, by: maker) } == "duty-to-keep")
    for (wait, subject) in [(Duration.zero, Self.person), (Approval.lifetime + .seconds(1), nil)] {
      app.clock.advance(by: wait)
      try await app.database.write { [app] tx in
        let before = app.clock.now - Approval.lifetime
        _ = try RightsRequestStore.forgetBegun(before: before, limit: 10, in: tx)
      }
      let kept = try await commands.list(for: maker).entries.first { $0.request.id == begun.id }
      #expect(kept?.request.subject == subject)
    }
    #expect(flow.erased.withLock { $0.count } == 1)
  }

  @Test("an export is given out after the second person agreed, and the request loses the id with the person")
  func export() async throws {
    let (request, refused) = (try await ask(.export), try await ask(.export))
    try await agree(request)
    try await agree(refused, false)
    var files: [String: String] = [:]
    for _ in 0..<2 {
      try await commands.export(request.id, by: maker) { files[$0] = String(decoding: $1, as: UTF8.self) }
    }
    #expect(files == ["customer.json": "\(Self.person) false"])
    #expect(try await code { try await commands.export(refused.id, by: maker) { _, _ in } } == "approval-required")
    try await app.database.write { [app] in try app.core.cases.forget(person: Self.person, in: $0) }
    #expect(try await commands.list(for: maker).entries.map(\.request.subject) == [nil, nil])
  }

  @Test("another desk, a place of another desk, and what is no id or no code find nothing")
  func refused() async throws {
    let request = try await ask()
    let stranger = CaseWorker(try await app.member("x@other.example", RightsRequest.permission, tenant: "other"))
    #expect(try await commands.list(for: stranger).entries.isEmpty)
    #expect(try await code { _ = try await commands.erase(request.id, by: stranger) } == "not-found")
    #expect(try await code { _ = try await commands.proof(request.id, for: stranger) } == "not-found")
    let attempts: [(CaseWorker, String, String, String, String)] = [
      (stranger, Self.person, "parcels", "art-17-request", "not-found"),
      (maker, Self.person, "letters", "art-17-request", "not-found"),
      (maker, "erika@example.com", "parcels", "art-17-request", "validation-failed"),
      (maker, Self.person, "parcels", "Erika Mustermann", "validation-failed"),
    ]
    for (worker, person, flow, reason, expected) in attempts {
      let found = try await code {
        try await commands.ask(
          .erasure, of: person, at: RightsPlace(flow: flow, tenant: "bank"), for: reason, despiteDuty: false,
          by: worker)
      }
      #expect(found == expected, "\(person) \(flow) \(reason)")
    }
  }
}
