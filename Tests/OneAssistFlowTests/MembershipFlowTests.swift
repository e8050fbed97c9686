// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import OneAssistFlow
import TestSupport
import Testing

@Suite("OneAssist: the life of a membership", .storeless)
struct MembershipFlowTests {
  /// Where each event leads, by status; absent is refused. Spelled out, apart from the table (oneassist §3).
  private static let expected: [MembershipStatus: [MembershipEvent: MembershipStatus]] = [
    .detailsPending: [.detailsStored: .detailsComplete, .cancelled: .cancelled, .lapsed: .cancelled],
    .detailsComplete: [.documentsComplete: .pending, .cancelled: .cancelled, .lapsed: .cancelled],
    .reupload: [.documentsComplete: .pending, .cancelled: .cancelled, .lapsed: .cancelled],
    .pending: [
      .photosAskedAgain: .reupload, .accepted: .approved, .acceptedForLater: .queued, .refused: .rejected,
      .blacklisted: .rejected, .cancelled: .cancelled,
    ],
    .queued: [.startReached: .approved, .cancelled: .cancelled],
    .approved: [:], .rejected: [:], .cancelled: [:],
  ]

  @Test("every status and event is a move of the table or a refusal", arguments: MembershipStatus.allCases)
  func complete(status: MembershipStatus) throws {
    let expected = try #require(Self.expected[status])
    for event in MembershipEvent.allCases {
      if let to = expected[event] {
        let move = try membershipFlow.move(from: status, on: event)
        #expect(move.to == to && move.effects == [.tellPartner])
      } else {
        #expect(throws: IllegalMove.self) { try membershipFlow.move(from: status, on: event) }
      }
    }
  }

  @Test("the table of two persons has the same moves, and those of a verdict that ends a review take the second one")
  func ofTwo() {
    #expect(membershipFlow.rows.count == membershipFlowOfTwo.rows.count)
    for (one, two) in zip(membershipFlow.rows, membershipFlowOfTwo.rows) {
      #expect(one.from == two.from && one.event == two.event && one.to == two.to && one.effects == two.effects)
      let isVerdict = [.accepted, .acceptedForLater, .refused].contains(one.event)
      #expect(one.fourEyes == nil && two.fourEyes == (isVerdict ? MembershipVerdict.rule : nil), "\(one.event)")
    }
  }

  @Test("a random walk ends, and every status is reached")
  func walks() {
    var (seen, generator) = (Set<MembershipStatus>(), SystemRandomNumberGenerator())
    for _ in 0..<500 {
      var status = MembershipStatus.detailsPending
      seen.insert(status)
      while let row = membershipFlow.rows.filter({ $0.from == status }).randomElement(using: &generator) {
        status = row.to
        seen.insert(status)
      }
      #expect(status.turn == .ended)
    }
    #expect(seen == Set(MembershipStatus.allCases))
  }
}
