// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: the life of money that waits", .storeless)
struct IncomingTransferFlowTests {
  /// Every state and event: where it goes, or that it does not.
  private static func specified(_ status: IncomingTransferStatus, _ event: IncomingTransferEvent)
    -> IncomingTransferStatus?
  {
    switch (status, event) {
    case (.available, .answered): .authorized
    case (.available, .answeredWrong): .available
    case (.available, .answersExhausted): .canceled
    case (.available, .completed), (.authorized, .completed): .accepted
    case (.available, .declined), (.authorized, .declined), (.available, .recalled), (.authorized, .recalled),
      (.available, .expired), (.authorized, .expired):
      .canceled
    default: nil
    }
  }

  @Test("every state on every event", arguments: IncomingTransferStatus.allCases, IncomingTransferEvent.allCases)
  func table(status: IncomingTransferStatus, event: IncomingTransferEvent) {
    #expect((try? incomingTransferFlow.move(from: status, on: event))?.to == Self.specified(status, event))
  }

  @Test("the diagram is the one that is published")
  func diagram() throws {
    #expect(
      try GoldenFile.difference(
        of: incomingTransferFlow.diagram(initial: .available), from: "docs/flows/finaptic-interac.mmd") == nil)
  }
}
