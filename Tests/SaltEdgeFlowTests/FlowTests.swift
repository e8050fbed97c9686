// SPDX-License-Identifier: Apache-2.0

import Kit
import SaltEdgeFlow
import TestSupport
import Testing

@Suite("Salt Edge: what may follow what", .storeless)
struct FlowTests {
  /// Every state × event of a table: the rows that are there and no others.
  private func moves<State, Event, Effect>(
    _ table: TransitionTable<State, Event, Effect>
  ) -> Set<String> where Event: CaseIterable {
    var found: Set<String> = []
    for state in State.allCases {
      for event in Event.allCases {
        if let row = try? table.move(from: state, on: event) {
          found.insert("\(state) \(event) \(row.to) \(row.effects.map { "\($0)" }.joined(separator: " "))")
        }
      }
    }
    return found
  }

  @Test("an authorization is decided once, by the device, and ended once, by its bank, its time or its bank's will")
  func authorizations() {
    #expect(
      moves(authorizationFlow) == [
        "pending confirmed confirming forwardDecision", "pending denied denying forwardDecision",
        "pending expired timedOut ", "pending withdrawn closed ", "confirming acceptedByBank confirmed ",
        "confirming refusedByBank failed ", "confirming outcomeLost unavailable ", "denying acceptedByBank denied ",
        "denying refusedByBank failed ", "denying outcomeLost unavailable ",
      ])
  }

  @Test("a connection is made once and never comes back")
  func connections() {
    #expect(
      moves(connectionFlow) == [
        "authenticating authenticated valid ", "authenticating authenticationFailed failed ",
        "authenticating lapsed failed ", "authenticating revokedByProvider revoked ",
        "valid expired revoked tellRevocation", "valid revokedByDevice revoked tellRevocation",
        "valid revokedByProvider revoked ",
      ])
  }

  @Test("a consent is taken back once")
  func consents() {
    #expect(
      moves(consentFlow) == ["open revokedByDevice revoked tellConsentRevocation", "open revokedByProvider revoked "])
  }

  @Test("an operation is decided once, and its bank hears of every end")
  func operations() {
    #expect(
      moves(operationFlow) == [
        "offered pickedUp pending ", "offered accepted confirmed notifyProvider",
        "offered expired expired notifyProvider", "offered cancelled cancelled notifyProvider",
        "pending confirmed confirmed notifyProvider", "pending denied denied notifyProvider",
        "pending expired expired notifyProvider", "pending cancelled cancelled notifyProvider",
      ])
  }
}
