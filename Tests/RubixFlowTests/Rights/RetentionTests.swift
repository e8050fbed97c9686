// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow

@Suite("Rubix: nothing is kept longer than the institution says")
struct RetentionTests {
  private func sweep(_ app: AgentTestApp) -> RetentionSweep { app.rubix.retention(erasure: app.erasure) }

  private func left(_ app: AgentTestApp) async throws -> [String] {
    try await app.core.database.read { tx in
      try tx.query("SELECT phase FROM rubix_application ORDER BY phase").map { try $0.get("phase") }
    }
  }

  @Test("files go when their time is over and not before; open ones and customers stay", arguments: Engine.available)
  func periods(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    for phase in [
      ApplicationPhase.abandoned, .expired, .rejected, .completed, .collectingDocuments, .reviewingScreening,
    ] { _ = try await app.customer(at: phase) }
    app.clock.advance(by: .days(90) - .seconds(1))
    #expect(try await sweep(app).run() == 0)
    app.clock.advance(by: .seconds(1))
    #expect(try await sweep(app).run() == 2)
    #expect(try await left(app) == ["collectingDocuments", "completed", "rejected", "reviewingScreening"])
    app.clock.advance(by: .days(1826 - 90))
    #expect(try await sweep(app).run() == 1)
    app.clock.advance(by: .days(10_000))
    #expect(try await sweep(app).run() == 0)
    #expect(try await left(app) == ["collectingDocuments", "completed", "reviewingScreening"])
    #expect(try await app.core.database.read { try AuditStore($0).verify(by: app.core.vault) }.faults == [])
  }

  @Test("a pass is bounded, and passes go on until nothing is due", arguments: Engine.available)
  func bounded(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    for _ in 0..<(RetentionSweep.filesMax + 3) { _ = try await app.customer(at: .abandoned) }
    app.clock.advance(by: .days(91))
    #expect(try await sweep(app).run() == RetentionSweep.filesMax)
    #expect(try await sweep(app).run() == 3)
    #expect(try await sweep(app).run() == 0)
  }

  @Test("a row that was made older than its audit chain is not believed", arguments: Engine.available)
  func forgedAge(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.customer(at: .abandoned)
    app.clock.advance(by: .days(91))
    try await app.core.database.write { tx in
      try app.core.audit.append("application.resumed", to: customer.id.rawValue, by: "customer", in: tx)
    }
    await #expect(throws: RetentionSweep.FileYoungerInAudit.self) { try await sweep(app).run() }
    #expect(try await left(app) == ["abandoned"])
    app.clock.advance(by: .days(91))
    #expect(try await sweep(app).run() == 1)
  }

  @Test("two nodes that sweep at once erase each file once", arguments: Engine.available)
  func race(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    for _ in 0..<10 { _ = try await app.customer(at: .expired) }
    app.clock.advance(by: .days(91))
    let second = try app.secondNode().erasure(devOutbox: app.devOutbox)
    let sweeps = [sweep(app), app.rubix.retention(erasure: second)]
    let erased = try await RubixFlowTests.race(4) { try await sweeps[$0 % 2].run() }.map { try $0.get() }
    #expect(erased.reduce(0, +) == 10)
    #expect(try await left(app).isEmpty)
    let lines = try await app.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'subject.erased'")
    #expect(lines == 10)
  }

  @Test("kept messages, replaced screenings and chains of the erased go in their time", arguments: Engine.available)
  func ownRows(engine: Engine) async throws {
    let app = try await AgentTestApp(engine)
    let customer = try await app.customer(at: .awaitingScreening)
    try await app.devOutbox.messenger.send(Message(.sms, to: "+96550007777", body: "hello", locale: "en"))
    for _ in 0..<2 {
      _ = try await app.screenings.screen(app.request(customer))
      app.clock.advance(by: .days(2))
    }
    let gone = try await app.customer(at: .registered)
    _ = try await app.erasure.erase(gone.id, of: gone.tenant, for: .retention, by: "operator")
    func counts() async throws -> [Int] {
      [
        try await app.count("SELECT COUNT(*) AS n FROM dev_message"),
        try await app.count("SELECT COUNT(*) AS n FROM screening"),
        try await app.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'subject.erased'"),
        try await app.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'audit.pruned'"),
      ]
    }
    try await sweep(app).run()
    #expect(try await counts() == [1, 2, 1, 0])
    app.clock.advance(by: .days(7))
    try await sweep(app).run()
    #expect(try await counts() == [0, 2, 1, 0])
    app.clock.advance(by: .days(1826))
    try await sweep(app).run()
    #expect(try await counts() == [0, 1, 1, 0], "the screening in force stays with its file")
    app.clock.advance(by: .days(3653))
    try await sweep(app).run()
    #expect(try await counts() == [0, 1, 0, 1])
    #expect(try await app.core.database.read { try AuditStore($0).verify(by: app.core.vault) }.faults == [])
  }

  @Test("a tenants file says days, null keeps for ever, and what it leaves out is the standard", .storeless)
  func file() throws {
    func read(_ text: String) throws -> Retention { try JSONDecoder().decode(Retention.self, from: Data(text.utf8)) }
    #expect(try read("{}") == .standard)
    #expect(
      try read(#"{"unfinished_days": 1, "rejected_days": null, "completed_days": 3653}"#)
        == Retention(unfinishedDays: 1, rejectedDays: nil, completedDays: 3653))
    for text in [#"{"unfinished_days": 0}"#, #"{"rejected_days": -1}"#, #"{"completed_days": "x"}"#] {
      #expect(throws: DecodingError.self) { try read(text) }
    }
  }
}
