// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import TestSupport
import Testing

@testable import Activations

@Suite("Activations: the life of an activation", .storeless)
struct ActivationFlowTests {
  /// Every state and event: where it leads, or nil.
  private static func next(_ state: ActivationState, _ event: ActivationEvent) -> ActivationState? {
    switch (state, event) {
    case (.created, .keysExchanged): .pendingCommit
    case (.created, .keysExchangedAndCommitted), (.pendingCommit, .committed), (.blocked, .unblocked): .active
    case (.active, .blocked), (.active, .attemptsExhausted): .blocked
    case (.created, .removed), (.pendingCommit, .removed), (.active, .removed), (.blocked, .removed),
      (.created, .lapsed), (.pendingCommit, .lapsed), (.created, .otpExhausted), (.pendingCommit, .otpExhausted),
      (.active, .replaced), (.blocked, .replaced):
      .removed
    default: nil
    }
  }

  @Test("every state and event is a row or a refusal", arguments: ActivationState.allCases, ActivationEvent.allCases)
  func complete(state: ActivationState, event: ActivationEvent) throws {
    guard let next = Self.next(state, event) else {
      #expect(!activationFlow.allows(event, from: state))
      #expect(throws: IllegalMove.self) { try activationFlow.move(from: state, on: event) }
      return
    }
    #expect(try activationFlow.move(from: state, on: event).to == next)
  }

  @Test("no row goes where the protocol does not allow it")
  func protocolAllows() {
    for row in activationFlow.rows {
      #expect(row.from.allows(row.to), "\(row.from) to \(row.to)")
    }
  }

  @Test("removal is for ever, and takes what the activation handed out along")
  func removal() {
    #expect(activationFlow.rows.allSatisfy { $0.from != .removed })
    for row in activationFlow.rows where row.to == .removed && row.from != .created {
      #expect(row.effects == [.deleteCredentials])
    }
  }
}
