import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow

@Suite("Rubix: nothing is kept longer than the institution says")
struct RetentionTests {
  private func sweep(_ house: DeskHouse) -> RetentionSweep { house.rubix.retention(erasure: house.erasure) }

  private func left(_ house: DeskHouse) async throws -> [String] {
    try await house.core.database.read { tx in
      try tx.query("SELECT phase FROM rubix_application ORDER BY phase").map { try $0.get("phase") }
    }
  }

  @Test("files go when their time is over and not before; open ones and customers stay", arguments: Engine.available)
  func periods(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    for phase in [
      ApplicationPhase.abandoned, .expired, .rejected, .completed, .collectingDocuments, .reviewingScreening,
    ] { _ = try await house.customer(at: phase) }
    house.clock.advance(by: .days(90) - .seconds(1))
    #expect(try await sweep(house).run() == 0)
    house.clock.advance(by: .seconds(1))
    #expect(try await sweep(house).run() == 2)
    #expect(try await left(house) == ["collectingDocuments", "completed", "rejected", "reviewingScreening"])
    house.clock.advance(by: .days(1826 - 90))
    #expect(try await sweep(house).run() == 1)
    house.clock.advance(by: .days(10_000))
    #expect(try await sweep(house).run() == 0)
    #expect(try await left(house) == ["collectingDocuments", "completed", "reviewingScreening"])
    #expect(try await house.core.database.read { try AuditStore($0).verify() }.faults == [])
  }

  @Test("a pass is bounded, and passes go on until nothing is due", arguments: Engine.available)
  func bounded(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    for _ in 0..<(RetentionSweep.filesMax + 3) { _ = try await house.customer(at: .abandoned) }
    house.clock.advance(by: .days(91))
    #expect(try await sweep(house).run() == RetentionSweep.filesMax)
    #expect(try await sweep(house).run() == 3)
    #expect(try await sweep(house).run() == 0)
  }

  @Test("two nodes that sweep at once erase each file once", arguments: Engine.available)
  func race(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    for _ in 0..<10 { _ = try await house.customer(at: .expired) }
    house.clock.advance(by: .days(91))
    let second = try house.secondNode().erasure(devOutbox: house.devOutbox)
    let sweeps = [sweep(house), house.rubix.retention(erasure: second)]
    let erased = try await RubixFlowTests.race(4) { try await sweeps[$0 % 2].run() }.map { try $0.get() }
    #expect(erased.reduce(0, +) == 10)
    #expect(try await left(house).isEmpty)
    let lines = try await house.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'subject.erased'")
    #expect(lines == 10)
  }

  @Test("kept messages, replaced screenings and chains of the erased go in their time", arguments: Engine.available)
  func houseRows(engine: Engine) async throws {
    let house = try await DeskHouse(engine)
    let customer = try await house.customer(at: .awaitingScreening)
    try await house.devOutbox.sms.send(Message(.sms, to: "+96550007777", body: "hello", locale: "en"))
    for _ in 0..<2 {
      _ = try await house.screenings.screen(house.request(customer))
      house.clock.advance(by: .days(2))
    }
    let gone = try await house.customer(at: .registered)
    _ = try await house.erasure.erase(gone.id, of: gone.tenant, for: .retention, by: "operator")
    func counts() async throws -> [Int] {
      [
        try await house.count("SELECT COUNT(*) AS n FROM dev_message"),
        try await house.count("SELECT COUNT(*) AS n FROM screening"),
        try await house.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'subject.erased'"),
        try await house.count("SELECT COUNT(*) AS n FROM audit_line WHERE action = 'audit.pruned'"),
      ]
    }
    try await sweep(house).run()
    #expect(try await counts() == [1, 2, 1, 0])
    house.clock.advance(by: .days(7))
    try await sweep(house).run()
    #expect(try await counts() == [0, 2, 1, 0])
    house.clock.advance(by: .days(1826))
    try await sweep(house).run()
    #expect(try await counts() == [0, 1, 1, 0], "the screening in force stays with its file")
    house.clock.advance(by: .days(3653))
    try await sweep(house).run()
    #expect(try await counts() == [0, 1, 0, 1])
    #expect(try await house.core.database.read { try AuditStore($0).verify() }.faults == [])
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
