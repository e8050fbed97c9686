// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger

extension PaymentOrderMessage {
  /// The message as pain.001.001.09, with numbers and control sums of the message and its batches.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    let amounts = batches.flatMap { $0.orders.map(\.amount) }
    guard (1...Self.ordersMax).contains(amounts.count), batches.allSatisfy({ !$0.orders.isEmpty }) else {
      throw MessageFault("a message has 1 to \(Self.ordersMax) orders, and each batch one at least")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("CstmrCdtTrfInitn") { writer throws(MessageFault) in
        try writer.element("GrpHdr") { writer throws(MessageFault) in
          try writer.identifier("MsgId", id)
          try writer.leaf("CreDtTm", created.text, max: 35)
          try writer.sums(of: amounts)
          try writer.party("InitgPty", initiator)
        }
        for batch in batches { try batch.write(&writer) }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension PaymentOrderMessage.Batch {
  fileprivate func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("PmtInf") { writer throws(MessageFault) in
      try writer.identifier("PmtInfId", id)
      try writer.leaf("PmtMtd", "TRF", max: 3)
      try writer.sums(of: orders.map(\.amount))
      try writer.element("ReqdExctnDt") { writer throws(MessageFault) in
        try writer.leaf("Dt", executionDay.isoText, max: 10)
      }
      try writer.party("Dbtr", debtor)
      try writer.account("DbtrAcct", debtorAccount)
      try writer.agent("DbtrAgt", debtorAgent)
      if let charges { try writer.leaf("ChrgBr", charges.rawValue, max: 4) }
      for order in orders { try order.write(&writer) }
    }
  }
}

extension PaymentOrder {
  fileprivate func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("CdtTrfTxInf") { writer throws(MessageFault) in
      try writer.element("PmtId") { writer throws(MessageFault) in
        if let instructionID { try writer.identifier("InstrId", instructionID) }
        try writer.identifier("EndToEndId", endToEndID)
        if let uetr { try writer.uetr("UETR", uetr) }
      }
      try writer.element("Amt") { writer throws(MessageFault) in try writer.money("InstdAmt", amount) }
      if let charges { try writer.leaf("ChrgBr", charges.rawValue, max: 4) }
      if let ultimateDebtor { try writer.person("UltmtDbtr", named: ultimateDebtorName, ultimateDebtor) }
      if let creditorAgent { try writer.agent("CdtrAgt", creditorAgent) }
      if let creditor { try writer.party("Cdtr", creditor) }
      if let creditorAccount { try writer.account("CdtrAcct", creditorAccount) }
      try writer.remittance(remittance)
    }
  }
}

extension MessageWriter {
  /// `NbOfTxs` and `CtrlSum`.
  mutating func sums(of amounts: [Money]) throws(MessageFault) {
    guard let sum = try ControlSum(amounts).decimal else {
      throw MessageFault(element: "CtrlSum", "has more than 18 digits")
    }
    try leaf("NbOfTxs", "\(amounts.count)", max: 15)
    try leaf("CtrlSum", sum, max: 20)
  }
}
