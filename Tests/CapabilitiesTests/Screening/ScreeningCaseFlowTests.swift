// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: what can become of a hit", .storeless)
struct ScreeningCaseFlowTests {
  @Test("every state and event is a move or a refusal")
  func table() {
    let moves = Screening.CaseState.allCases.flatMap { state in
      Screening.CaseEvent.allCases.map { event in
        (try? screeningCaseFlow.move(from: state, on: event)).map { "\(state) \(event) \($0.to)" }
          ?? "\(state) \(event) -"
      }
    }
    #expect(
      moves == [
        "open changed open", "open judgedFalsePositive falsePositive", "open judgedTrueMatch trueMatch",
        "open proposed awaitingApproval", "open approvedFalsePositive -", "open approvedTrueMatch -", "open returned -",
        "awaitingApproval changed open", "awaitingApproval judgedFalsePositive -",
        "awaitingApproval judgedTrueMatch -", "awaitingApproval proposed -",
        "awaitingApproval approvedFalsePositive falsePositive", "awaitingApproval approvedTrueMatch trueMatch",
        "awaitingApproval returned open",
        "falsePositive changed open", "falsePositive judgedFalsePositive -", "falsePositive judgedTrueMatch -",
        "falsePositive proposed -", "falsePositive approvedFalsePositive -", "falsePositive approvedTrueMatch -",
        "falsePositive returned -",
        "trueMatch changed trueMatch", "trueMatch judgedFalsePositive -", "trueMatch judgedTrueMatch -",
        "trueMatch proposed -", "trueMatch approvedFalsePositive -", "trueMatch approvedTrueMatch -",
        "trueMatch returned -",
      ])
  }

  @Test("the picture in the documents is the table")
  func picture() throws {
    #expect(
      try GoldenFile.difference(
        of: screeningCaseFlow.diagram(initial: .open), from: "docs/flows/screening-case.mmd") == nil)
  }

  @Test("a case that waits for a person anew is told of, and nothing else is")
  func alerts() {
    for row in screeningCaseFlow.rows {
      let isAsked = row.event == .changed && row.from != .open && row.to == .open
      #expect(row.effects.contains(.alert) == isAsked, "\(row)")
    }
  }
}
