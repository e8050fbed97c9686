// SPDX-License-Identifier: Apache-2.0

import Ledger

/// Which payment a later message is about, in the words of the message that ordered it.
package struct OriginalPayment: Sendable, Hashable {
  /// `OrgnlMsgId` and `OrgnlMsgNmId`, such as `pacs.008.001.08`: of the message that ordered it.
  package var messageID: String?
  package var messageName: String?
  package var instructionID: String?
  package var endToEndID: String?
  package var transactionID: String?
  package var uetr: String?

  package init(
    messageID: String? = nil, messageName: String? = nil, instructionID: String? = nil, endToEndID: String? = nil,
    transactionID: String? = nil, uetr: String? = nil
  ) {
    (self.messageID, self.messageName, self.instructionID) = (messageID, messageName, instructionID)
    (self.endToEndID, self.transactionID, self.uetr) = (endToEndID, transactionID, uetr)
  }

  /// Its elements, in the order in which a transaction has them.
  static let order = "OrgnlGrpInf OrgnlInstrId OrgnlEndToEndId OrgnlTxId OrgnlUETR"
}

/// Why a payment is rejected, returned or asked back (`StsRsnInf`, `RtrRsnInf`, `CxlRsnInf`).
package struct PaymentReason: Sendable, Hashable {
  /// A code of an external list of ISO 20022, such as `AC04`: 1 to 4 characters.
  package var code: String?
  /// The sender's own word instead, up to 35 characters.
  package var proprietary: String?
  /// `AddtlInf`, each up to 105 characters.
  package var additional: [String]

  package init(code: String? = nil, proprietary: String? = nil, additional: [String] = []) {
    (self.code, self.proprietary, self.additional) = (code, proprietary, additional)
  }

  package init(_ reason: ReturnReason) { self.init(code: reason.rawValue) }
}

extension MessageElement {
  /// The references of a transaction that names an earlier one.
  func originalPayment() throws(MessageFault) -> OriginalPayment {
    var original = OriginalPayment()
    if let group = try first("OrgnlGrpInf") {
      try group.check("OrgnlMsgId OrgnlMsgNmId OrgnlCreDtTm")
      original.messageID = try group.one("OrgnlMsgId").text(max: 35)
      original.messageName = try group.one("OrgnlMsgNmId").text(max: 35)
    }
    original.instructionID = try first("OrgnlInstrId")?.text(max: 35)
    original.endToEndID = try first("OrgnlEndToEndId")?.text(max: 35)
    original.transactionID = try first("OrgnlTxId")?.text(max: 35)
    original.uetr = try first("OrgnlUETR")?.uetr()
    return original
  }

  /// The reasons of all elements of a name, in their order.
  func reasons(_ name: String) throws(MessageFault) -> [PaymentReason] {
    var reasons: [PaymentReason] = []
    for part in all(name) { reasons.append(try part.reason()) }
    return reasons
  }

  /// The reason of one element.
  func reason() throws(MessageFault) -> PaymentReason {
    try check("Orgtr Rsn AddtlInf", repeated: ["AddtlInf"])
    var reason = PaymentReason()
    if let choice = try first("Rsn") {
      try choice.check("Cd Prtry")
      guard choice.children.count == 1 else { throw choice.fault("is not one of Cd and Prtry") }
      reason.code = try choice.first("Cd")?.codeText()
      reason.proprietary = try choice.first("Prtry")?.text(max: 35)
    }
    for line in all("AddtlInf") { reason.additional.append(try line.text(max: 105)) }
    return reason
  }

  /// A code of an external list of ISO 20022: 1 to 4 characters.
  func codeText() throws(MessageFault) -> String {
    let code = try token()
    guard (1...4).contains(code.unicodeScalars.count) else { throw fault("has not 1 to 4 characters") }
    return code
  }

  /// `Max15NumericText`: how many transactions there are.
  func count() throws(MessageFault) -> Int {
    let digits = try token()
    guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let count = Int(digits)
    else { throw fault("is not 1 to 15 digits") }
    return count
  }

  func controlSum() throws(MessageFault) -> ControlSum {
    guard let said = ControlSum(decimal: try token()) else { throw fault("is no decimal number") }
    return said
  }

  /// An amount that moves: above zero.
  func moved() throws(MessageFault) -> Money {
    let money = try money()
    guard money.minorUnits > 0 else { throw fault("is not above zero") }
    return money
  }

  /// The unstructured lines of a remittance information (`RmtInf`).
  func remittance() throws(MessageFault) -> [String] {
    try check("Ustrd Strd", repeated: ["Ustrd", "Strd"])
    var lines: [String] = []
    for line in all("Ustrd") { lines.append(try line.text(max: 140)) }
    return lines
  }
}

extension MessageWriter {
  mutating func original(_ original: OriginalPayment) throws(MessageFault) {
    if let id = original.messageID {
      guard let name = original.messageName else {
        throw MessageFault(element: "OrgnlGrpInf", "lacks the name of the message")
      }
      try element("OrgnlGrpInf") { writer throws(MessageFault) in
        try writer.identifier("OrgnlMsgId", id)
        try writer.leaf("OrgnlMsgNmId", name, max: 35)
      }
    }
    if let id = original.instructionID { try identifier("OrgnlInstrId", id) }
    if let id = original.endToEndID { try identifier("OrgnlEndToEndId", id) }
    if let id = original.transactionID { try identifier("OrgnlTxId", id) }
    if let uetr = original.uetr { try self.uetr("OrgnlUETR", uetr) }
  }

  mutating func uetr(_ name: String, _ value: String) throws(MessageFault) {
    guard UETR.isValid(value) else { throw MessageFault(element: name, "is no UUID of version 4") }
    try leaf(name, value, max: 36)
  }

  mutating func reasons(_ name: String, _ reasons: [PaymentReason]) throws(MessageFault) {
    for reason in reasons {
      guard reason.code == nil || reason.proprietary == nil else {
        throw MessageFault(element: name, "has a code and a word of the sender's own")
      }
      try element(name) { writer throws(MessageFault) in
        if reason.code != nil || reason.proprietary != nil {
          try writer.element("Rsn") { writer throws(MessageFault) in
            if let code = reason.code { try writer.token("Cd", code, max: 4) }
            if let word = reason.proprietary { try writer.leaf("Prtry", word, max: 35) }
          }
        }
        for line in reason.additional { try writer.leaf("AddtlInf", line, max: 105) }
      }
    }
  }

  /// A code: text without spaces around it, which readers take away.
  mutating func token(_ name: String, _ value: String, max: Int) throws(MessageFault) {
    guard let first = value.utf8.first, let last = value.utf8.last, !XMLSpace.contains(first), !XMLSpace.contains(last)
    else { throw MessageFault(element: name, "is empty or has spaces around it") }
    try leaf(name, value, max: max)
  }

  mutating func remittance(_ lines: [String]) throws(MessageFault) {
    guard !lines.isEmpty else { return }
    try element("RmtInf") { writer throws(MessageFault) in
      for line in lines { try writer.leaf("Ustrd", line, max: 140) }
    }
  }
}
