// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the mover")
struct MoverTests {
  @Test("a move is a row, an audit line, effects, a count and what completes it", arguments: Engine.available)
  func legal(engine: Engine) async throws {
    let app = try await ParcelTestApp(engine)
    let sent = try await app.move(app.packed, on: .handedOver)
    #expect(sent == Parcel(id: "p1", state: .sent, isSealed: true, version: 2))
    #expect(
      try await app.traces()
        == ParcelTestApp.Traces(
          parcel: sent, audit: ["parcel.moved clerk parcels=1 place=there to=SENT version=2"],
          outbox: ["parcel.ask p1  later", "parcel.tell p1 SENT now"], stamps: ["p1 clerk"],
          counted: ["parcel PACKED HANDED_OVER SENT"]))
  }

  @Test(
    "a move that the table does not know is refused by the machine and changes nothing", arguments: Engine.available)
  func illegal(engine: Engine) async throws {
    let app = try await ParcelTestApp(engine)
    let before = try await app.traces()
    await #expect(throws: ParcelMachine.Refusal(event: .missed, state: .packed)) {
      _ = try await app.move(app.packed, on: .missed)
    }
    #expect(before == ParcelTestApp.Traces(parcel: app.packed))
    #expect(try await app.traces() == before)
  }

  @Test("a machine without words of its own refuses by the names that the metric uses")
  func plainRefusal() {
    struct PlainMachine: StateMachine {
      typealias Move = TransitionTable<Parcel.State, Parcel.Event, Parcel.Effect>.Row

      let flow = "plain"
      var table: TransitionTable<Parcel.State, Parcel.Event, Parcel.Effect> { Parcel.flow }
      var state: WritableKeyPath<Parcel, Parcel.State> { \.state }
      func save(_ parcel: inout Parcel, in tx: any SQLTransaction) {}
      func auditEntry(for move: Move, of parcel: Parcel) -> AuditEntry? { nil }
      func owedEffect(_ effect: Parcel.Effect, for move: Move, of parcel: Parcel) -> OwedEffect? { nil }
    }
    let refusal = PlainMachine().refusal(of: .handedOver, in: .lost)
    #expect(refusal as? IllegalMove == IllegalMove(state: "LOST", event: "HANDED_OVER"))
  }

  @Test("a move of an outdated row is rolled back with all of its transaction", arguments: Engine.available)
  func stale(engine: Engine) async throws {
    let app = try await ParcelTestApp(engine)
    _ = try await app.move(app.packed, on: .handedOver)
    let before = try await app.traces()
    let (packed, mover) = (app.packed, app.mover)
    await #expect(throws: SQLError.outdated) {
      try await app.database.write { tx in
        try tx.execute("INSERT INTO parcel_stamp (parcel_id, actor) VALUES ('p2', 'clerk')")
        var parcel = packed
        try mover.move(&parcel, on: .handedOver, of: ParcelMachine(), by: "clerk", in: tx)
      }
    }
    #expect(try await app.traces() == before)
  }

  @Test("a move whose transaction fails later counts nothing", arguments: Engine.available)
  func rolledBack(engine: Engine) async throws {
    struct ChangedMind: Error {}
    let app = try await ParcelTestApp(engine)
    let (packed, mover) = (app.packed, app.mover)
    await #expect(throws: ChangedMind.self) {
      try await app.database.write { tx in
        var parcel = packed
        try mover.move(&parcel, on: .handedOver, of: ParcelMachine(), by: "clerk", in: tx)
        throw ChangedMind()
      }
    }
    #expect(try await app.traces() == ParcelTestApp.Traces(parcel: packed))
  }

  @Test("what cannot be completed has not moved", arguments: Engine.available)
  func incomplete(engine: Engine) async throws {
    let app = try await ParcelTestApp(engine)
    await #expect(throws: ParcelMachine.NoStamp.self) {
      _ = try await app.move(app.packed, on: .handedOver, of: ParcelMachine(stamps: false))
    }
    #expect(try await app.traces() == ParcelTestApp.Traces(parcel: app.packed))
  }

  @Test("two moves in one transaction are two lines and two counts", arguments: Engine.available)
  func twice(engine: Engine) async throws {
    let app = try await ParcelTestApp(engine)
    let (packed, mover) = (app.packed, app.mover)
    try await app.database.write { tx in
      var parcel = packed
      try mover.move(&parcel, on: .handedOver, of: ParcelMachine(), by: "clerk", in: tx)
      try tx.execute("DELETE FROM parcel_stamp")
      let move = try mover.move(&parcel, on: .missed, of: ParcelMachine(), by: "system", in: tx)
      #expect(move.from == .sent && move.to == .lost && parcel.version == 3)
    }
    let traces = try await app.traces()
    #expect(traces.parcel == Parcel(id: "p1", state: .lost, isSealed: false, version: 3))
    #expect(
      traces.audit == [
        "parcel.moved clerk place=here to=SENT version=2", "parcel.moved system place=here to=LOST version=3",
      ])
    #expect(traces.counted == ["parcel PACKED HANDED_OVER SENT", "parcel SENT MISSED LOST"])
  }
}
