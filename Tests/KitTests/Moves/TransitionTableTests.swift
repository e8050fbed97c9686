// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Kit

@Suite("Kit: the transition table", .storeless)
struct TransitionTableTests {
  private enum State: CaseIterable { case open, paying, paid, cancelled }
  private enum Event: CaseIterable { case submitted, confirmed, withdrawn }
  private enum Effect: Hashable { case charge, thank, record }

  private static let table = TransitionTable<State, Event, Effect>([
    .init(.open, on: .submitted, to: .paying, do: .charge),
    .init(.paying, on: .confirmed, to: .paid, do: .thank, .record),
    .init(.open, on: .withdrawn, to: .cancelled),
    .init(.paying, on: .submitted, to: .paying),
  ])

  @Test("a move that is in the table leads where its row says, with its effects in order")
  func moves() throws {
    let move = try Self.table.move(from: .paying, on: .confirmed)
    #expect(move.to == .paid)
    #expect(move.effects == [.thank, .record])
    #expect(try Self.table.move(from: .open, on: .withdrawn).effects.isEmpty)
    #expect(try Self.table.move(from: .paying, on: .submitted).to == .paying)
  }

  @Test("every pair of state and event is a row or a refusal that names both")
  func total() {
    for state in State.allCases {
      for event in Event.allCases {
        let row = Self.table.rows.first { $0.from == state && $0.event == event }
        #expect(Self.table.allows(event, from: state) == (row != nil))
        do throws(IllegalMove) {
          let move = try Self.table.move(from: state, on: event)
          #expect(move.to == row?.to && move.effects == row?.effects)
        } catch {
          #expect(row == nil)
          #expect(error == IllegalMove(state: "\(state)", event: "\(event)"))
        }
      }
    }
  }

  @Test("the diagram shows every row in order, the start and the ends")
  func diagram() {
    #expect(
      Self.table.diagram(initial: .open) == """
        stateDiagram-v2
          [*] --> open
          open --> paying: submitted / charge
          paying --> paid: confirmed / thank, record
          open --> cancelled: withdrawn
          paying --> paying: submitted
          paid --> [*]
          cancelled --> [*]

        """)
  }

  @Test("two rows for one state and event stop the program at start")
  func duplicates() async {
    await #expect(processExitsWith: .failure) {
      _ = TransitionTable<State, Event, Effect>([
        .init(.open, on: .submitted, to: .paying), .init(.open, on: .submitted, to: .cancelled),
      ])
    }
  }
}
