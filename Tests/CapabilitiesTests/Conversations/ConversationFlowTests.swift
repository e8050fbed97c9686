// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Conversations

@Suite("Conversations: whose turn it is", .storeless)
struct ConversationFlowTests {
  @Test("every state and event is a move or a refusal")
  func table() {
    let moves = ConversationStatus.allCases.flatMap { status in
      ConversationEvent.allCases.map { event in
        (try? conversationFlow.move(from: status, on: event)).map { "\(status) \(event) \($0.to)" }
          ?? "\(status) \(event) -"
      }
    }
    #expect(
      moves == [
        "waitingForAgent customerWrote waitingForAgent", "waitingForAgent agentWrote waitingForCustomer",
        "waitingForAgent resolved resolved", "waitingForCustomer customerWrote waitingForAgent",
        "waitingForCustomer agentWrote waitingForCustomer", "waitingForCustomer resolved resolved",
        "resolved customerWrote waitingForAgent", "resolved agentWrote -", "resolved resolved -",
      ])
  }

  @Test("the picture in the documents is the table")
  func picture() throws {
    #expect(
      try GoldenFile.difference(
        of: conversationFlow.diagram(initial: .waitingForAgent), from: "docs/flows/conversation.mmd") == nil)
  }

  @Test("a customer waits in exactly one status")
  func waiting() {
    for row in conversationFlow.rows {
      let (before, after) = (row.from == .waitingForAgent, row.to == .waitingForAgent)
      #expect(row.effects.contains(.startWaiting) == (!before && after), "\(row)")
      #expect(row.effects.contains(.stopWaiting) == (before && !after), "\(row)")
      #expect(row.effects.contains(.endContacts) == (row.to == .resolved), "\(row)")
    }
  }
}
