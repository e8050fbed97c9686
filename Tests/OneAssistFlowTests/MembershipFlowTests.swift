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
      .cancelled: .cancelled,
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

  @Test("whoever walks at random ends, and every status is reached")
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
