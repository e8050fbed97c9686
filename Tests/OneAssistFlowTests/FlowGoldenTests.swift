// SPDX-License-Identifier: Apache-2.0

import OneAssistFlow
import TestSupport
import Testing

@Suite("OneAssist: the flow as it is drawn", .storeless)
struct FlowGoldenTests {
  @Test("the documentation shows the table as it is")
  func drawn() throws {
    #expect(
      try GoldenFile.difference(
        of: membershipFlow.diagram(initial: .detailsPending), from: "docs/flows/oneassist-membership.mmd") == nil)
  }
}
