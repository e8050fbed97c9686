import Capabilities
import GatehouseWire
import Kit
import OneAssistFlow
import Testing
import WultraFlow

@testable import RubixFlow

@Suite("The flows as they are drawn")
struct FlowGoldenTests {
  @Test("the documentation shows the tables as they are")
  func drawn() throws {
    try GoldenFile.check(applicationFlow.diagram(initial: .registered), "docs/flows/rubix-application.mmd")
    try GoldenFile.check(contactFlow.diagram(initial: .unconfirmed), "docs/flows/rubix-contact.mmd")
    try GoldenFile.check(imageFlow.diagram(initial: .pending), "docs/flows/rubix-image.mmd")
    try GoldenFile.check(activationFlow.diagram(initial: .created), "docs/flows/activation.mmd")
    try GoldenFile.check(processFlow.diagram(initial: .activating), "docs/flows/wultra-process.mmd")
    try GoldenFile.check(verificationFlow.diagram(initial: .notStarted), "docs/flows/wultra-verification.mmd")
    try GoldenFile.check(membershipFlow.diagram(initial: .detailsPending), "docs/flows/oneassist-membership.mmd")
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
    try GoldenFile.check(lines.joined(separator: "\n") + "\n", "docs/flows/rubix-step-order.txt")
  }

  private static func column(_ number: Int) -> String { number < 10 ? " \(number)" : "\(number)" }
}
