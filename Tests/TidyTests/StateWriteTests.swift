// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Tidy: who writes states")
struct StateWriteTests {
  private static let cure = "Instead: let a StateMachine's save write the row, and call Mover"

  /// The statements that may write a state, by table and file, each of them once.
  private static let allowed: Set<String> = [
    "activation ActivationStore", "appointment AppointmentStore", "casework_approval ApprovalStore",
    "casework_case CaseStore", "casework_rights RightsRequestStore", "conversation ConversationStore",
    "finaptic_application OnboardingStore", "finaptic_bank_act BankActStore",
    "finaptic_bank_payment BankPaymentStore", "finaptic_card CardStore", "finaptic_card_dispute CardDisputeStore",
    "finaptic_card_payment CardPaymentStore", "finaptic_card_suspense CardSuspenseStore",
    "finaptic_incoming_transfer IncomingTransferStore", "finaptic_invitation InvitationStore",
    "finaptic_payment_recall PaymentRecallStore", "finaptic_scheduled_posting ScheduledPostingStore",
    "finaptic_terms_change TermsChangeStore",
    "oneassist_membership MembershipStore", "rubix_application ApplicationStore", "rubix_image ImageStore",
    "saltedge_authorization AuthorizationStore", "saltedge_connection ConnectionStore",
    "saltedge_consent ConsentStore", "saltedge_operation OperationStore", "screening_case ScreeningCaseStore",
    "wultra_document DocumentStore", "wultra_process ProcessStore", "wultra_verification VerificationStore",
  ]

  /// Tables whose state follows no transition table: the condition of each statement says from where it may come.
  private static let withoutMachine: Set<String> = [
    // Queues and single-use values.
    "webhook_delivery", "passcode", "recovery_code",
    // A record of a check, a booking, a file or a message, which is written as it turned out.
    "screening", "ledger_account", "ledger_hold", "finaptic_transaction", "oneassist_document", "rubix_session",
    "sent_message",
    // The bank of the demonstration.
    "demo_bank_order",
  ]

  /// Statements besides a machine's save, which write many rows at once: an erased picture is emptied and put aside
  /// whatever its state is.
  private static let besides = ["rubix_image ImageStore+Erasure": 1]

  @Test("the state of a table with a machine is written by one statement, which its machine calls")
  func statements() {
    var seen: [String: Int] = [:]
    for file in Repository.sources where file.isBelow("Sources/Server") && file.mentions("UPDATE") {
      for table in Self.written(file.text) where !Self.withoutMachine.contains(table) {
        let place = "\(table) \(file.name.dropLast(6))"
        seen[place, default: 0] += 1
        let most = (Self.allowed.contains(place) ? 1 : 0) + (Self.besides[place] ?? 0)
        #expect(seen[place, default: 0] <= most, "\(file.path) writes the state of \(table). \(Self.cure)")
      }
    }
    for place in Self.allowed.union(Self.besides.keys) {
      let most = (Self.allowed.contains(place) ? 1 : 0) + (Self.besides[place] ?? 0)
      #expect(seen[place] == most, "\(place): a statement is gone; take it out of the list")
    }
  }

  @Test("only the mover asks a transition table for a move")
  func moves() {
    for file in Repository.sources where file.mentions(".move(from:") && !file.path.hasSuffix("Kit/Moves/Mover.swift") {
      for (number, line) in SwiftText(file.text).bare.enumerated() where line.contains(".move(from:") {
        Issue.record("\(file.path):\(number + 1): a move that is not the mover's. \(Self.cure)")
      }
    }
  }

  @Test("the rule sees a state among other columns, and no touch")
  func samples() {
    #expect(Self.written("\"UPDATE a SET b = 1,\n  state = 'x' WHERE c = 2\"") == ["a"])
    #expect(Self.written("\"UPDATE a SET state = state WHERE c = 2\"").isEmpty)
    #expect(Self.written("\"UPDATE a SET b = 1 WHERE state = 'x'\"").isEmpty)
    let upsert = "INSERT INTO b (c) VALUES (1) ON CONFLICT (c) DO UPDATE"
    #expect(
      Self.written("\"INSERT INTO a (c) VALUES (1)\"; \"\(upsert)\n SET d = 1, state = excluded.state\"") == ["b"])
    #expect(Self.written("\"\(upsert) SET d = 1\"").isEmpty)
  }

  /// The tables whose state statements of a file set, one for each statement.
  private static func written(_ text: String) -> [String] {
    let code = SwiftText(text).code.joined(separator: "\n")
    // A conflict belongs to the insertion next before it.
    let pattern =
      /(?:UPDATE ([a-z_]+)(?:\s+AS [a-z]+)?|INSERT INTO ([a-z_]+)\b(?:(?!INSERT INTO)[\s\S])*?\bDO UPDATE)\s+SET\s/
    return code.matches(of: pattern).compactMap { match in
      let rest = code[match.range.upperBound...]
      let end = rest.firstMatch(of: /\bWHERE\b|"""/)?.range.lowerBound ?? rest.endIndex
      let columns = rest[..<end].matches(of: /\b(state|phase|status) = (\S+)/)
      return columns.contains { $0.1 != $0.2 } ? (match.1 ?? match.2).map(String.init) : nil
    }
  }
}
