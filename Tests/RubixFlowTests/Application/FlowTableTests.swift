// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: the tables of legal moves", .storeless)
struct FlowTableTests {
  @Test("every state with every event is one row or a refusal that names both")
  func total() {
    expectTotal(applicationFlow)
    expectTotal(applicationFlowOfTwo)
    expectTotal(contactFlow)
    expectTotal(imageFlow)
  }

  @Test("where two persons decide after a call, the verdicts of agents take the second one, and all else is the same")
  func fourEyes() {
    #expect(applicationFlow.rows.count == applicationFlowOfTwo.rows.count)
    for (one, two) in zip(applicationFlow.rows, applicationFlowOfTwo.rows) {
      let isVerdict = [.agentAccepted, .agentRefused, .agentRefusedOnce].contains(one.event)
      #expect(one.fourEyes == nil && two.fourEyes == (isVerdict ? ApplicationFlow.verdictRule : nil), "\(one.event)")
      #expect(one.from == two.from && one.event == two.event && one.to == two.to && one.effects == two.effects)
    }
  }

  @Test("every state can be reached from the first one, and every event happens somewhere")
  func reachable() {
    #expect(reach(applicationFlow, from: .registered) == Set(ApplicationPhase.allCases))
    #expect(reach(contactFlow, from: .unconfirmed) == Set(ContactState.allCases))
    #expect(reach(imageFlow, from: .pending) == Set(ImageState.allCases))
    #expect(Set(applicationFlow.rows.map(\.event)) == Set(ApplicationEvent.allCases))
    #expect(Set(contactFlow.rows.map(\.event)) == Set(ContactEvent.allCases))
    #expect(Set(imageFlow.rows.map(\.event)) == Set(ImageEvent.allCases))
  }

  @Test("every open phase can still come to either decision, can be superseded, and lapses unless an officer has it")
  func ends() {
    for phase in ApplicationPhase.allCases where phase.isOpen {
      #expect(reach(applicationFlow, from: phase).isSuperset(of: [.completed, .rejected]), "\(phase)")
      #expect(applicationFlow.allows(.superseded, from: phase), "\(phase)")
      #expect(applicationFlow.allows(.lapsed, from: phase) == (phase != .reviewingScreening), "\(phase)")
    }
  }

  @Test("no row leaves an ended phase")
  func final() {
    let leaving = applicationFlow.rows.filter { !$0.from.isOpen }
    #expect(leaving.isEmpty)
    #expect(ApplicationPhase.allCases.filter { !$0.isOpen } == [.completed, .rejected, .abandoned, .expired])
  }

  @Test("a decision that is due or made is told, and what came to nothing is erased")
  func effects() {
    for row in applicationFlow.rows {
      let expected: [ApplicationEffect] =
        switch row.to {
        case .completed: [.notifyCompleted]
        case .rejected: [.notifyRejected, .scheduleErasure]
        case .abandoned, .expired: [.scheduleErasure]
        default:
          switch row.event {
          case .mismatchedFinally, .undecidable, .screenedHit: [.notifyInReview]
          case .screeningCleared, .agentAccepted: [.notifyContinued]
          case .agentRefusedOnce: [.notifyCallAgain]
          case .retakeRequested: [.notifyRetake]
          default: []
          }
        }
      #expect(row.effects == expected, "\(row.from) on \(row.event)")
    }
  }

  @Test("each request for a code sends one, and a document is read once it is taken")
  func sideEffects() {
    for row in contactFlow.rows {
      #expect(row.effects == (row.event == .codeRequested ? [.sendPasscode] : []), "\(row.from) on \(row.event)")
    }
    for row in imageFlow.rows {
      #expect(row.effects == (row.event == .taken ? [.readDocument] : []), "\(row.from) on \(row.event)")
    }
  }

  @Test("a confirmed contact stays confirmed, a replaced image stays put aside")
  func settled() {
    #expect(!contactFlow.rows.contains { $0.from == .confirmed })
    #expect(!imageFlow.rows.contains { $0.from == .archived })
  }

  @Test("the customer's status follows the phase")
  func status() throws {
    for phase in ApplicationPhase.allCases {
      let status = StatusSample.application(at: phase).status
      switch phase {
      case .completed: #expect(status == .completed)
      case .rejected: #expect(status == .rejected)
      case .abandoned: #expect(status == .abandoned)
      case .expired: #expect(status == .expired)
      case .awaitingReviewAppointment, .awaitingReviewCall, .reviewingScreening: #expect(status == .inReview)
      default: #expect(status == .pending, "\(phase)")
      }
    }
  }

  private func expectTotal<State, Event, Effect>(_ table: TransitionTable<State, Event, Effect>) {
    for state in State.allCases {
      for event in Event.allCases {
        let rows = table.rows.filter { $0.from == state && $0.event == event }
        #expect(rows.count <= 1)
        #expect(table.allows(event, from: state) == !rows.isEmpty)
        do throws(IllegalMove) {
          let move = try table.move(from: state, on: event)
          #expect(move.to == rows.first?.to)
        } catch {
          #expect(rows.isEmpty && error.state == "\(state)" && error.event == "\(event)")
        }
      }
    }
  }

  private func reach<State, Event, Effect>(
    _ table: TransitionTable<State, Event, Effect>, from start: State
  ) -> Set<State> {
    var (reached, frontier) = (Set([start]), [start])
    while let state = frontier.popLast() {
      for row in table.rows where row.from == state && reached.insert(row.to).inserted { frontier.append(row.to) }
    }
    return reached
  }
}
