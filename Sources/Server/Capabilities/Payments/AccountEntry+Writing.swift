// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger

extension StatementMessage {
  /// The message as camt.053.001.08.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard !statements.isEmpty, statements.allSatisfy({ !$0.balances.isEmpty }),
      statements.reduce(0, { $0 + $1.entries.count }) <= Self.entriesMax
    else { throw MessageFault("a statement has a balance, and a message at most \(Self.entriesMax) entries") }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("BkToCstmrStmt") { writer throws(MessageFault) in
        try writer.reportHeader(id, created)
        for statement in statements {
          try writer.element("Stmt") { writer throws(MessageFault) in
            try writer.identifier("Id", statement.id)
            try writer.account("Acct", statement.account)
            for balance in statement.balances { try writer.balance(balance) }
            for entry in statement.entries { try writer.entry(entry) }
          }
        }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension NotificationMessage {
  /// The message as camt.054.001.08.
  /// - Throws: as `PaymentMessage.xml`.
  package func xml(_ characters: MessageCharacters = .any) throws(MessageFault) -> Data {
    guard !notifications.isEmpty, notifications.reduce(0, { $0 + $1.entries.count }) <= Self.entriesMax else {
      throw MessageFault("a message has a notification, and at most \(Self.entriesMax) entries")
    }
    var writer = MessageWriter(characters)
    try writer.document(Self.namespace) { writer throws(MessageFault) in
      try writer.element("BkToCstmrDbtCdtNtfctn") { writer throws(MessageFault) in
        try writer.reportHeader(id, created)
        for notification in notifications {
          try writer.element("Ntfctn") { writer throws(MessageFault) in
            try writer.identifier("Id", notification.id)
            try writer.account("Acct", notification.account)
            for entry in notification.entries { try writer.entry(entry) }
          }
        }
      }
    }
    return Data(writer.text.utf8)
  }
}

extension MessageWriter {
  fileprivate mutating func reportHeader(_ id: String, _ created: MessageTime) throws(MessageFault) {
    try element("GrpHdr") { writer throws(MessageFault) in
      try writer.identifier("MsgId", id)
      try writer.leaf("CreDtTm", created.text, max: 35)
    }
  }

  fileprivate mutating func balance(_ balance: AccountStatement.Balance) throws(MessageFault) {
    try element("Bal") { writer throws(MessageFault) in
      try writer.element("Tp") { writer throws(MessageFault) in
        try writer.codeOrProprietary("CdOrPrtry", balance.type)
      }
      try writer.signed(balance.amount)
      try writer.day("Dt", balance.day)
    }
  }

  fileprivate mutating func entry(_ entry: AccountStatement.Entry) throws(MessageFault) {
    try element("Ntry") { writer throws(MessageFault) in
      if let reference = entry.reference { try writer.leaf("NtryRef", reference, max: 35) }
      try writer.signed(entry.amount)
      if entry.isReversal { try writer.leaf("RvslInd", "true", max: 4) }
      try writer.codeOrProprietary("Sts", entry.status)
      if let day = entry.booked { try writer.day("BookgDt", day) }
      if let day = entry.valued { try writer.day("ValDt", day) }
      if let reference = entry.servicerReference { try writer.leaf("AcctSvcrRef", reference, max: 35) }
      // The code is not kept, and the schema lets it stand empty.
      try writer.element("BkTxCd") { _ throws(MessageFault) in }
      guard !entry.details.isEmpty else { return }
      try writer.element("NtryDtls") { writer throws(MessageFault) in
        for detail in entry.details { try writer.detail(detail) }
      }
    }
  }

  private mutating func detail(_ detail: AccountStatement.Detail) throws(MessageFault) {
    try element("TxDtls") { writer throws(MessageFault) in
      try writer.element("Refs") { writer throws(MessageFault) in
        if let id = detail.messageID { try writer.identifier("MsgId", id) }
        if let id = detail.instructionID { try writer.identifier("InstrId", id) }
        if let id = detail.endToEndID { try writer.identifier("EndToEndId", id) }
        if let uetr = detail.uetr { try writer.uetr("UETR", uetr) }
        if let id = detail.transactionID { try writer.identifier("TxId", id) }
      }
      if let amount = detail.amount { try writer.signed(amount) }
      try writer.parties(detail)
      try writer.agents(detail)
      try writer.remittance(detail.remittance)
    }
  }

  private mutating func parties(_ detail: AccountStatement.Detail) throws(MessageFault) {
    guard detail.debtor != nil || detail.debtorAccount != nil || detail.creditor != nil || detail.creditorAccount != nil
    else { return }
    try element("RltdPties") { writer throws(MessageFault) in
      if let name = detail.debtor { try writer.choice("Dbtr", name) }
      if let account = detail.debtorAccount { try writer.account("DbtrAcct", account) }
      if let name = detail.creditor { try writer.choice("Cdtr", name) }
      if let account = detail.creditorAccount { try writer.account("CdtrAcct", account) }
    }
  }

  private mutating func agents(_ detail: AccountStatement.Detail) throws(MessageFault) {
    guard detail.instructing != nil || detail.debtorAgent != nil || detail.creditorAgent != nil else { return }
    try element("RltdAgts") { writer throws(MessageFault) in
      if let agent = detail.instructing { try writer.agent("InstgAgt", agent) }
      if let agent = detail.debtorAgent { try writer.agent("DbtrAgt", agent) }
      if let agent = detail.creditorAgent { try writer.agent("CdtrAgt", agent) }
    }
  }

  private mutating func choice(_ name: String, _ party: String) throws(MessageFault) {
    try element(name) { writer throws(MessageFault) in try writer.party("Pty", party) }
  }

  private mutating func signed(_ amount: Money) throws(MessageFault) {
    try total("Amt", Money(Int64(clamping: amount.minorUnits.magnitude), amount.currency))
    try leaf("CdtDbtInd", amount.minorUnits < 0 ? "DBIT" : "CRDT", max: 4)
  }

  private mutating func day(_ name: String, _ day: CalendarDate) throws(MessageFault) {
    try element(name) { writer throws(MessageFault) in try writer.leaf("Dt", day.isoText, max: 10) }
  }

  /// A code where it can be one, and the bank's own word otherwise.
  private mutating func codeOrProprietary(_ name: String, _ value: String) throws(MessageFault) {
    let isCode = value.unicodeScalars.count <= 4 && !value.utf8.contains(where: XMLSpace.contains)
    try element(name) { writer throws(MessageFault) in try writer.leaf(isCode ? "Cd" : "Prtry", value, max: 35) }
  }
}
