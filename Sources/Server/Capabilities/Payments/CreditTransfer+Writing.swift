// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

extension CreditTransferMessage {
  /// The message as pacs.008.001.08, with the number of its transfers and their control sum.
  /// - Throws: when a text is too long or has a character outside the set, an amount is not above zero, or the sum
  ///   is more than the form holds.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard (1...Self.transfersMax).contains(transfers.count) else {
      throw MessageFault("a message has 1 to \(Self.transfersMax) transfers")
    }
    guard let sum = try ControlSum(transfers.map(\.amount)).decimal else {
      throw MessageFault(element: "CtrlSum", "has more than 18 digits")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("FIToFICstmrCdtTrf") { writer throws(MessageFault) in
        try writeHeader(&writer, sum: sum)
        for transfer in transfers { try transfer.write(&writer) }
      }
    }
    return Data(writer.text.utf8)
  }

  private func writeHeader(_ writer: inout MessageWriter, sum: String) throws(MessageFault) {
    try writer.element("GrpHdr") { writer throws(MessageFault) in
      try writer.identifier("MsgId", id)
      try writer.leaf("CreDtTm", created.text, max: 35)
      try writer.leaf("NbOfTxs", "\(transfers.count)", max: 15)
      try writer.leaf("CtrlSum", sum, max: 20)
      try writer.element("SttlmInf") { writer throws(MessageFault) in
        try writer.leaf("SttlmMtd", method.rawValue, max: 4)
      }
      if let instructing { try writer.agent("InstgAgt", instructing) }
      if let instructed { try writer.agent("InstdAgt", instructed) }
    }
  }
}

extension CreditTransfer {
  func write(_ writer: inout MessageWriter) throws(MessageFault) {
    try writer.element("CdtTrfTxInf") { writer throws(MessageFault) in
      try writer.element("PmtId") { writer throws(MessageFault) in
        if let instructionID { try writer.identifier("InstrId", instructionID) }
        try writer.identifier("EndToEndId", endToEndID)
        if let transactionID { try writer.identifier("TxId", transactionID) }
        if let uetr { try writer.uetr("UETR", uetr) }
      }
      try writer.money("IntrBkSttlmAmt", amount)
      try writer.leaf("IntrBkSttlmDt", settlementDay.isoText, max: 10)
      try writer.leaf("ChrgBr", charges.rawValue, max: 4)
      try writer.party("Dbtr", debtor)
      if let debtorAccount { try writer.account("DbtrAcct", debtorAccount) }
      try writer.agent("DbtrAgt", debtorAgent)
      try writer.agent("CdtrAgt", creditorAgent)
      try writer.party("Cdtr", creditor)
      if let creditorAccount { try writer.account("CdtrAcct", creditorAccount) }
      try writer.remittance(remittance)
    }
  }
}
