// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Casework

@Suite("Casework: the tables", .storeless)
struct CaseFlowTests {
  @Test("the diagrams are those of the tables")
  func diagrams() throws {
    #expect(try GoldenFile.difference(of: caseFlow.diagram(initial: .open), from: "docs/flows/case.mmd") == nil)
    #expect(
      try GoldenFile.difference(of: approvalFlow.diagram(initial: .pending), from: "docs/flows/approval.mmd") == nil)
    let rights = rightsRequestFlow.diagram(initial: .awaiting)
    #expect(try GoldenFile.difference(of: rights, from: "docs/flows/rights-request.mmd") == nil)
  }

  @Test("no event takes a case out of a person's hands but release, handover and the end of the work")
  func held() {
    let leaving = caseFlow.rows.filter { $0.from == .claimed }.map(\.event)
    #expect(Set(leaving) == [.released, .handedOver, .decided, .withdrawn])
    #expect(!caseFlow.allows(.claimed, from: .claimed))
  }

  @Test("an approval that was used, refused or taken back goes nowhere")
  func over() {
    for state in [ApprovalState.used, .refused, .withdrawn] {
      #expect(ApprovalEvent.allCases.allSatisfy { !approvalFlow.allows($0, from: state) })
    }
  }
}
