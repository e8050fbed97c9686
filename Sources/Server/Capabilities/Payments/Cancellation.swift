// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger

/// Payments that another bank asks back: FIToFIPaymentCancellationRequest, camt.056.001.08.
package struct CancellationMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:camt.056.001.08"
  /// Requests of one message.
  package static let requestsMax = 100_000

  /// Who assigns the case, and to whom (`Party40Choice`).
  package enum Party: Sendable, Equatable {
    case agent(Agent)
    /// Its name, or nil when the message has none.
    case party(String?)

    /// By what it is told apart; empty when the message does not name it.
    package var name: String {
      switch self {
      case .agent(let agent): agent.bic?.text ?? agent.clearingMember ?? ""
      case .party(let name): name ?? ""
      }
    }
  }

  /// One payment that is asked back (`TxInf`).
  package struct Request: Sendable, Equatable {
    /// `CxlId`: the asking bank's own.
    package var id: String?
    package var original: OriginalPayment
    /// `OrgnlIntrBkSttlmAmt` and `OrgnlIntrBkSttlmDt`.
    package var amount: Money?
    package var settlementDay: CalendarDate?
    package var reasons: [PaymentReason]

    package init(
      id: String? = nil, original: OriginalPayment, amount: Money? = nil, settlementDay: CalendarDate? = nil,
      reasons: [PaymentReason] = []
    ) {
      (self.id, self.original, self.amount) = (id, original, amount)
      (self.settlementDay, self.reasons) = (settlementDay, reasons)
    }
  }

  /// `Assgnmt/Id`, up to 35 characters.
  package var id: String
  package var created: MessageTime
  package var assigner: Party
  package var assignee: Party
  package var requests: [Request]

  package init(id: String, created: MessageTime, assigner: Party, assignee: Party, requests: [Request]) {
    (self.id, self.created, self.requests) = (id, created, requests)
    (self.assigner, self.assignee) = (assigner, assignee)
  }
}

/// Puts a camt.056 together. A request for all payments of a message at once is refused: it names none of them.
struct CancellationBuilder: MessageBuilder {
  static let namespace = CancellationMessage.namespace
  static let root = "FIToFIPmtCxlReq"
  static let containers: Set<String> = ["Undrlyg"]

  private var order = ElementOrder("Assgnmt Case CtrlData Undrlyg SplmtryData", repeated: ["Undrlyg", "SplmtryData"])
  private var inner: ElementOrder?
  private var control: (element: MessageElement, count: Int, sum: ControlSum?)?
  var page = PartPage()
  /// Of the requests that say their amount, and how many these are.
  private var sum: ControlSum?
  private var summed = 0
  private var built: CancellationMessage?

  mutating func begin(_ container: String, line: Int) throws(MessageFault) {
    try order.note(container, line: line)
    inner = ElementOrder("OrgnlGrpInfAndCxl TxInf", repeated: ["TxInf"])
  }

  mutating func end(_ container: String) { inner = nil }

  mutating func take(_ part: MessageElement) throws(MessageFault) {
    guard inner != nil else { return try takeOutside(part) }
    try inner?.note(part)
    guard part.name == "TxInf" else { throw part.fault("asks for all payments of a message, which is not taken") }
    guard built != nil else { throw part.fault("stands before the header") }
    guard page.count < CancellationMessage.requestsMax else {
      throw part.fault("is one more than \(CancellationMessage.requestsMax)")
    }
    if page.passesOver() { return }
    let request = try Self.request(part)
    if let amount = request.amount {
      try sum?.add(amount)
      summed += 1
    }
    if page.keeps(part) { built?.requests.append(request) }
  }

  private mutating func takeOutside(_ part: MessageElement) throws(MessageFault) {
    try order.note(part)
    switch part.name {
    case "Assgnmt":
      let assignment = try part.assignment()
      built = CancellationMessage(
        id: assignment.id, created: assignment.created, assigner: assignment.assigner, assignee: assignment.assignee,
        requests: [])
    case "CtrlData":
      try part.check("NbOfTxs CtrlSum")
      let said = try part.first("CtrlSum")?.controlSum()
      if said != nil { sum = try ControlSum() }
      control = (part, try part.one("NbOfTxs").count(), said)
    default: break
    }
  }

  func message() throws(MessageFault) -> PaymentMessage {
    let read = try kept()
    guard page.count > 0 else { throw MessageFault("the message has no request (TxInf)") }
    if let control {
      guard control.count == page.count else {
        throw control.element.fault("says another number of requests (NbOfTxs) than there are")
      }
      // Amounts may be missing; the sum is of those that are known to the sender, so it is compared when all are there.
      if let said = control.sum, summed == page.count, sum != said {
        throw control.element.fault("says another control sum (CtrlSum) than the amounts have")
      }
    }
    return read
  }

  func kept() throws(MessageFault) -> PaymentMessage {
    guard let built else { throw MessageFault("the message has no header (Assgnmt)") }
    return .cancellation(built)
  }

  private static func request(_ part: MessageElement) throws(MessageFault) -> CancellationMessage.Request {
    try part.check(
      """
      CxlId Case \(OriginalPayment.order) OrgnlClrSysRef OrgnlIntrBkSttlmAmt OrgnlIntrBkSttlmDt Assgnr Assgne \
      CxlRsnInf OrgnlTxRef SplmtryData
      """, repeated: ["CxlRsnInf", "SplmtryData"])
    return CancellationMessage.Request(
      id: try part.first("CxlId")?.text(max: 35), original: try part.originalPayment(),
      amount: try part.first("OrgnlIntrBkSttlmAmt")?.moved(),
      settlementDay: try part.first("OrgnlIntrBkSttlmDt")?.date(),
      reasons: try part.reasons("CxlRsnInf"))
  }
}

extension CancellationMessage {
  /// The message as camt.056.001.08, with the number of its requests.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard (1...Self.requestsMax).contains(requests.count) else {
      throw MessageFault("a message has 1 to \(Self.requestsMax) requests")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("FIToFIPmtCxlReq") { writer throws(MessageFault) in
        try writer.assignment(id, created, from: assigner, to: assignee)
        try writer.element("CtrlData") { writer throws(MessageFault) in
          try writer.leaf("NbOfTxs", "\(requests.count)", max: 15)
        }
        try writer.element("Undrlyg") { writer throws(MessageFault) in
          for request in requests { try request.write(&writer) }
        }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension CancellationMessage.Request {
  fileprivate func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("TxInf") { writer throws(MessageFault) in
      if let id { try writer.identifier("CxlId", id) }
      try writer.original(original)
      if let amount { try writer.money("OrgnlIntrBkSttlmAmt", amount) }
      if let settlementDay { try writer.leaf("OrgnlIntrBkSttlmDt", settlementDay.isoText, max: 10) }
      try writer.reasons("CxlRsnInf", reasons)
    }
  }
}

extension MessageElement {
  /// Who gives a case to whom (`Assgnmt`).
  struct Assignment {
    let id: String
    let created: MessageTime
    let assigner, assignee: CancellationMessage.Party
  }

  func assignment() throws(MessageFault) -> Assignment {
    try check("Id Assgnr Assgne CreDtTm")
    return Assignment(
      id: try one("Id").text(max: 35), created: try one("CreDtTm").time(), assigner: try one("Assgnr").caseParty(),
      assignee: try one("Assgne").caseParty())
  }

  private func caseParty() throws(MessageFault) -> CancellationMessage.Party {
    try check("Pty Agt")
    guard children.count == 1, let choice = children.first else { throw fault("is not one of Pty and Agt") }
    return choice.name == "Agt" ? .agent(try choice.agent()) : .party(try choice.partyName())
  }
}

extension MessageWriter {
  mutating func assignment(
    _ id: String, _ created: MessageTime, from assigner: CancellationMessage.Party,
    to assignee: CancellationMessage.Party
  ) throws(MessageFault) {
    try element("Assgnmt") { writer throws(MessageFault) in
      try writer.identifier("Id", id)
      try writer.caseParty("Assgnr", assigner)
      try writer.caseParty("Assgne", assignee)
      try writer.leaf("CreDtTm", created.text, max: 35)
    }
  }

  private mutating func caseParty(_ name: String, _ party: CancellationMessage.Party) throws(MessageFault) {
    try element(name) { writer throws(MessageFault) in
      switch party {
      case .agent(let agent): try writer.agent("Agt", agent)
      case .party(let party): try writer.party("Pty", party)
      }
    }
  }
}
