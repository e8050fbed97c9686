// SPDX-License-Identifier: Apache-2.0

import Activations
import GatehouseWire
import Kit
import Scheduling
import TestSupport
import Testing
import WultraFlow

@testable import RubixFlow

@Suite("The flows as they are drawn", .storeless)
struct FlowGoldenTests {
  @Test("the documentation shows the tables as they are")
  func drawn() throws {
    #expect(
      try GoldenFile.difference(
        of: applicationFlow.diagram(initial: .registered), from: "docs/flows/rubix-application.mmd") == nil)
    #expect(
      try GoldenFile.difference(of: contactFlow.diagram(initial: .unconfirmed), from: "docs/flows/rubix-contact.mmd")
        == nil)
    #expect(
      try GoldenFile.difference(of: imageFlow.diagram(initial: .pending), from: "docs/flows/rubix-image.mmd") == nil)
    #expect(
      try GoldenFile.difference(
        of: Appointment.lifecycle.diagram(initial: .scheduled), from: "docs/flows/rubix-call.mmd")
        == nil)
    #expect(
      try GoldenFile.difference(of: activationFlow.diagram(initial: .created), from: "docs/flows/activation.mmd") == nil
    )
    #expect(
      try GoldenFile.difference(of: processFlow.diagram(initial: .activating), from: "docs/flows/wultra-process.mmd")
        == nil)
    #expect(
      try GoldenFile.difference(
        of: verificationFlow.diagram(initial: .notStarted), from: "docs/flows/wultra-verification.mmd") == nil)
    #expect(
      try GoldenFile.difference(of: documentFlow.diagram(initial: .uploaded), from: "docs/flows/wultra-document.mmd")
        == nil)
  }

  @Test("every phase with every call and contact has the verdict that the table shows")
  func table() throws {
    let signs: [StepOrder.Verdict: String] = [
      .allowed: "+", .outOfOrder: ".", .alreadyCompleted: "=", .inReview: "r", .closed: "x",
    ]
    var lines = ["+ allowed   . out of order   = already completed   r in review   x closed", ""]
    for (number, phase) in ApplicationPhase.allCases.enumerated() { lines.append("\(Self.column(number)) \(phase)") }
    lines += ["", "      " + ApplicationPhase.allCases.indices.map(Self.column).joined(separator: " ")]
    for call in RubixCall.all {
      for contact in ContactState.allCases {
        let isContact = if case .sendOTP = call { true } else if case .verifyOTP = call { true } else { false }
        guard isContact || contact == .unconfirmed else { continue }
        let verdicts = ApplicationPhase.allCases.map {
          "  " + (signs[StepOrder.verdict(call, phase: $0, contact: contact)] ?? "?")
        }
        lines.append("     " + verdicts.joined() + "  \(call.path)" + (isContact ? " (\(contact))" : ""))
      }
    }
    #expect(
      try GoldenFile.difference(of: lines.joined(separator: "\n") + "\n", from: "docs/flows/rubix-step-order.txt")
        == nil)
  }

  private static func column(_ number: Int) -> String { number < 10 ? " \(number)" : "\(number)" }
}
