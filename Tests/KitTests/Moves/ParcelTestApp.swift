// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization
import TestSupport

@testable import Kit

/// A row that moves, for the tests of the mover.
struct Parcel: Equatable {
  enum State: String, CaseIterable, SQLConvertible {
    case packed = "PACKED"
    case sent = "SENT"
    case lost = "LOST"
  }

  enum Event: String, CaseIterable {
    case handedOver = "HANDED_OVER"
    case missed = "MISSED"
  }

  enum Effect {
    case tellReceiver, askWhetherItCame
    /// Owes nothing to this receiver.
    case tellSender
  }

  static let flow = TransitionTable<State, Event, Effect>([
    .init(.packed, on: .handedOver, to: .sent, do: .tellReceiver, .tellSender, .askWhetherItCame),
    .init(.sent, on: .missed, to: .lost),
  ])

  let id: String
  var state: State
  var isSealed: Bool
  var version: Int
}

struct ParcelMachine: StateMachine {
  typealias Move = TransitionTable<Parcel.State, Parcel.Event, Parcel.Effect>.Row

  struct Refusal: Error, Equatable {
    let event: Parcel.Event
    let state: Parcel.State
  }

  struct NoStamp: Error {}

  var stamps = true

  let flow = "parcel"
  var table: TransitionTable<Parcel.State, Parcel.Event, Parcel.Effect> { Parcel.flow }
  var state: WritableKeyPath<Parcel, Parcel.State> { \.state }

  func refusal(of event: Parcel.Event, in state: Parcel.State) -> any Error { Refusal(event: event, state: state) }

  func prepare(_ parcel: inout Parcel, for move: Move) { parcel.isSealed = move.to == .sent }

  func save(_ parcel: inout Parcel, in tx: any SQLTransaction) throws {
    let changed = try tx.execute(
      """
      UPDATE parcel SET state = \(parcel.state), is_sealed = \(parcel.isSealed), version = version + 1
      WHERE id = \(parcel.id) AND version = \(parcel.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    parcel.version += 1
  }

  func auditEntry(for move: Move, of parcel: Parcel) -> AuditEntry? {
    AuditEntry(
      "parcel.moved", chain: parcel.id,
      facts: ["to": move.to.rawValue, "version": "\(parcel.version)", "place": "here"])
  }

  func owedEffect(_ effect: Parcel.Effect, for move: Move, of parcel: Parcel) -> OwedEffect? {
    switch effect {
    case .tellReceiver: OwedEffect("parcel.tell", subject: parcel.id, payload: move.to.rawValue)
    case .askWhetherItCame: OwedEffect("parcel.ask", subject: parcel.id, dueAt: ParcelTestApp.later)
    case .tellSender: nil
    }
  }

  func complete(_ move: Move, of parcel: inout Parcel, by actor: String, in tx: any SQLTransaction) throws {
    guard stamps else { throw NoStamp() }
    try tx.execute("INSERT INTO parcel_stamp (parcel_id, actor) VALUES (\(parcel.id), \(actor))")
  }
}

/// One packed parcel in a real store, and a mover whose count is kept.
struct ParcelTestApp {
  static let later = Instant(milliseconds: 1_795_999_999_000)

  private static let migration = Migration(
    "2026-11-24 parcel",
    """
    CREATE TABLE parcel (id TEXT PRIMARY KEY, state TEXT NOT NULL, is_sealed BIGINT NOT NULL, version BIGINT NOT NULL);
    CREATE TABLE parcel_stamp (parcel_id TEXT PRIMARY KEY, actor TEXT NOT NULL);
    """)

  /// Everything that a move leaves behind.
  struct Traces: Equatable {
    var parcel: Parcel?
    /// Action, actor and facts.
    var audit: [String] = []
    /// Topic, subject, payload and when it is due.
    var outbox: [String] = []
    var stamps: [String] = []
    var counted: [String] = []
  }

  private final class Count: Sendable {
    let moves = Mutex<[String]>([])
  }

  let made: TestDatabase
  let packed = Parcel(id: "p1", state: .packed, isSealed: false, version: 1)
  let mover: Mover
  private let count = Count()
  var database: any SQLDatabase { made.database }

  init(_ engine: Engine) async throws {
    made = try await TestDatabase.make(
      engine,
      AuditStore.migrations + [
        OutboxStore.migration, OutboxStore.leaseMigration, OutboxStore.originMigration, OutboxStore.patienceMigration,
        OutboxStore.readyMigration, DataKeyStore.migration, Self.migration,
      ])
    let world = TestWorld().world
    mover = Mover(
      audit: Audit(world: world, vault: try await TestVault.open(made.database, world)),
      moves: FlowMoves { [count] flow, from, event, to in
        count.moves.withLock { $0.append("\(flow) \(from) \(event) \(to)") }
      })
    let (parcel, isSealed) = (packed, packed.isSealed)
    try await database.write { tx in
      _ = try tx.execute(
        """
        INSERT INTO parcel (id, state, is_sealed, version)
        VALUES (\(parcel.id), \(parcel.state), \(isSealed), \(parcel.version))
        """)
    }
  }

  /// Moves a parcel in a transaction of its own.
  func move(
    _ parcel: Parcel, on event: Parcel.Event, of machine: ParcelMachine = ParcelMachine()
  ) async throws -> Parcel {
    try await database.write { [mover] tx in
      var moved = parcel
      do {
        try mover.move(
          &moved, on: event, of: machine, by: "clerk", facts: ["place": "there", "parcels": "1"], in: tx)
      } catch {
        // A caller that goes on with the subject must not see half a move.
        guard moved == parcel else { throw SQLError.unreadable("the subject changed") }
        throw error
      }
      return moved
    }
  }

  func traces() async throws -> Traces {
    let (id, counted) = (packed.id, count.moves.withLock { $0 })
    return try await database.read { tx in
      let parcel = try tx.first("SELECT id, state, is_sealed, version FROM parcel WHERE id = \(id)").map { row in
        Parcel(
          id: try row.get("id"), state: try row.get("state"), isSealed: try row.get("is_sealed"),
          version: try row.get("version"))
      }
      let audit = try AuditStore(tx).lines(of: id).map { line in
        let facts = line.facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return "\(line.action) \(line.actor) \(facts.joined(separator: " "))"
      }
      let outbox = try tx.query("SELECT topic, subject, payload, due_at FROM outbox ORDER BY topic").map { row in
        let dueAt: Int64 = try row.get("due_at")
        return "\(try row.get("topic", as: String.self)) \(try row.get("subject", as: String.self)) "
          + "\(try row.get("payload", as: String.self)) \(dueAt == Self.later.milliseconds ? "later" : "now")"
      }
      let stamps = try tx.query("SELECT parcel_id, actor FROM parcel_stamp ORDER BY parcel_id").map { row in
        "\(try row.get("parcel_id", as: String.self)) \(try row.get("actor", as: String.self))"
      }
      return Traces(parcel: parcel, audit: audit, outbox: outbox, stamps: stamps, counted: counted)
    }
  }
}
