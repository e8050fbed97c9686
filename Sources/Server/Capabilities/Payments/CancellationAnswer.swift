// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ledger

/// The answer to requests to give payments back: ResolutionOfInvestigation, camt.029.001.09.
package struct CancellationAnswerMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:camt.029.001.09"
  /// Answers of one message.
  package static let answersMax = CancellationMessage.requestsMax

  /// `CancellationIndividualStatus1Code`: what becomes of one request.
  package enum Outcome: String, Sendable, CaseIterable {
    case accepted = "ACCR"
    case rejected = "RJCR"
    case pending = "PDCR"

    /// The same for the whole investigation: a code of ExternalInvestigationExecutionConfirmation1Code.
    package var confirmation: String { self == .accepted ? "CNCL" : rawValue }
  }

  /// What becomes of one payment that was asked back (`TxInfAndSts`).
  package struct Answer: Sendable, Equatable {
    /// `CxlStsId`: the answering bank's own.
    package var id: String?
    package var original: OriginalPayment
    package var outcome: Outcome?
    /// Of a rejection: codes of ExternalPaymentCancellationRejection1Code (`CancellationRejection`).
    package var reasons: [PaymentReason]
    /// `OrgnlIntrBkSttlmAmt`.
    package var amount: Money?

    package init(
      id: String? = nil, original: OriginalPayment, outcome: Outcome? = nil, reasons: [PaymentReason] = [],
      amount: Money? = nil
    ) {
      (self.id, self.original, self.outcome) = (id, original, outcome)
      (self.reasons, self.amount) = (reasons, amount)
    }
  }

  /// `Assgnmt/Id`, up to 35 characters.
  package var id: String
  package var created: MessageTime
  package var assigner: CancellationMessage.Party
  package var assignee: CancellationMessage.Party
  /// `Sts/Conf`: a code of 1 to 4 characters, such as CNCL, RJCR and PDCR.
  package var confirmation: String
  package var answers: [Answer]

  package init(
    id: String, created: MessageTime, assigner: CancellationMessage.Party, assignee: CancellationMessage.Party,
    confirmation: String, answers: [Answer]
  ) {
    (self.id, self.created, self.assigner, self.assignee) = (id, created, assigner, assignee)
    (self.confirmation, self.answers) = (confirmation, answers)
  }
}

/// Why a payment is not given back: the codes of ExternalPaymentCancellationRejection1Code that this server writes.
package enum CancellationRejection: String, Sendable, CaseIterable {
  case closedAccount = "AC04"
  /// The bank does not give it back.
  case agentDecision = "AGNT"
  case insufficientFunds = "AM04"
  case alreadyReturned = "ARDT"
  /// The customer does not give it back.
  case customerDecision = "CUST"
  case legalDecision = "LEGL"
  case noAnswerFromCustomer = "NOAS"
  case noOriginalTransactionReceived = "NOOR"
}

/// Puts a camt.029 together. Answers for a whole message or batch, and what is no confirmation, are refused.
struct CancellationAnswerBuilder: MessageBuilder {
  static let namespace = CancellationAnswerMessage.namespace
  static let root = "RsltnOfInvstgtn"
  static let containers: Set<String> = ["CxlDtls"]

  private var order = ElementOrder(
    "Assgnmt RslvdCase Sts CxlDtls ModDtls ClmNonRctDtls StmtDtls CrrctnTx RsltnRltdInf SplmtryData",
    repeated: ["CxlDtls", "SplmtryData"])
  private var inner: ElementOrder?
  var page = PartPage()
  private var built: CancellationAnswerMessage?
  private var isConfirmed = false

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    try order.note(container, line: line)
    inner = ElementOrder(
      "OrgnlGrpInfAndSts OrgnlPmtInfAndSts TxInfAndSts", repeated: ["OrgnlPmtInfAndSts", "TxInfAndSts"])
  }

  mutating func end(_ container: String) { inner = nil }

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard inner != nil else { return try takeOutside(part) }
    try inner?.note(part)
    guard part.name == "TxInfAndSts" else { throw part.fault("answers for a whole message, which is not taken") }
    guard built != nil, isConfirmed else { throw part.fault("stands before the header") }
    guard page.count < CancellationAnswerMessage.answersMax else {
      throw part.fault("is one more than \(CancellationAnswerMessage.answersMax)")
    }
    if page.passesOver() { return }
    let answer = try Self.answer(part)
    if page.keeps(part) { built?.answers.append(answer) }
  }

  private mutating func takeOutside(_ part: MessageElement) throws(MessageFault) {
    try order.note(part)
    switch part.name {
    case "Assgnmt":
      let assignment = try part.assignment()
      built = CancellationAnswerMessage(
        id: assignment.id, created: assignment.created, assigner: assignment.assigner, assignee: assignment.assignee,
        confirmation: "", answers: [])
    case "Sts":
      try part.check("Conf RjctdMod DplctOf AssgnmtCxlConf", repeated: ["RjctdMod"])
      guard part.children.count == 1, let confirmation = try part.first("Conf") else {
        throw part.fault("is no confirmation (Conf), which alone is taken")
      }
      built?.confirmation = try confirmation.codeText()
      isConfirmed = true
    default: break
    }
  }

  func message() throws(MessageFault) -> PaymentMessage { try kept() }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard let built, isConfirmed else { throw MessageFault("the message has no header (Assgnmt, Sts)") }
    return .cancellationAnswer(built)
  }

  private static func answer(_ part: MessageElement) throws(MessageFault) -> CancellationAnswerMessage.Answer {
    try part.check(
      """
      CxlStsId RslvdCase OrgnlGrpInf OrgnlInstrId OrgnlEndToEndId OrgnlTxId OrgnlClrSysRef OrgnlUETR TxCxlSts \
      CxlStsRsnInf RsltnRltdInf OrgnlIntrBkSttlmAmt OrgnlIntrBkSttlmDt Assgnr Assgne OrgnlTxRef
      """, repeated: ["CxlStsRsnInf"])
    return CancellationAnswerMessage.Answer(
      id: try part.first("CxlStsId")?.text(max: 35), original: try part.originalPayment(),
      outcome: try part.first("TxCxlSts")?.code(CancellationAnswerMessage.Outcome.self),
      reasons: try part.reasons("CxlStsRsnInf"), amount: try part.first("OrgnlIntrBkSttlmAmt")?.moved())
  }
}

extension CancellationAnswerMessage {
  /// The message as camt.029.001.09.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard answers.count <= Self.answersMax else {
      throw MessageFault("a message has at most \(Self.answersMax) answers")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("RsltnOfInvstgtn") { writer throws(MessageFault) in
        try writer.assignment(id, created, from: assigner, to: assignee)
        try writer.element("Sts") { writer throws(MessageFault) in
          try writer.token("Conf", confirmation, max: 4)
        }
        guard !answers.isEmpty else { return }
        try writer.element("CxlDtls") { writer throws(MessageFault) in
          for answer in answers { try answer.write(&writer) }
        }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension CancellationAnswerMessage.Answer {
  fileprivate func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("TxInfAndSts") { writer throws(MessageFault) in
      if let id { try writer.identifier("CxlStsId", id) }
      try writer.original(original)
      if let outcome { try writer.leaf("TxCxlSts", outcome.rawValue, max: 4) }
      try writer.reasons("CxlStsRsnInf", reasons)
      if let amount { try writer.money("OrgnlIntrBkSttlmAmt", amount) }
    }
  }
}
