// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

/// A message of credit transfers from bank to bank: FIToFICustomerCreditTransfer, pacs.008.001.08.
package struct CreditTransferMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08"
  /// Transfers of one message.
  package static let transfersMax = 100_000

  /// `SttlmMtd`: by whom it is settled.
  package enum SettlementMethod: String, Sendable, CaseIterable {
    /// The account is at the bank that is instructed.
    case instructedAgent = "INDA"
    /// The account is at the bank that instructs.
    case instructingAgent = "INGA"
    /// Another message covers it.
    case cover = "COVE"
    /// A clearing system settles it.
    case clearing = "CLRG"
  }

  /// `MsgId`: the sender's own, up to 35 characters.
  package var id: String
  package var created: MessageTime
  package var method: SettlementMethod
  /// `InstgAgt` and `InstdAgt` of the header.
  package var instructing: Agent?
  package var instructed: Agent?
  package var transfers: [CreditTransfer]

  package init(
    id: String, created: MessageTime, method: SettlementMethod, instructing: Agent? = nil, instructed: Agent? = nil,
    transfers: [CreditTransfer]
  ) {
    (self.id, self.created, self.method, self.transfers) = (id, created, method, transfers)
    (self.instructing, self.instructed) = (instructing, instructed)
  }
}

/// One transfer of a pacs.008 (`CdtTrfTxInf`): who pays whom how much. Addresses, purposes, reporting to authorities
/// and banks in between are not kept.
package struct CreditTransfer: Sendable, Equatable {
  /// `ChrgBr`: who bears the charges.
  package enum ChargeBearer: String, Sendable, CaseIterable {
    case debtor = "DEBT"
    case creditor = "CRED"
    case shared = "SHAR"
    case serviceLevel = "SLEV"
  }

  /// `EndToEndId`: the debtor's reference, or `notProvided`; up to 35 characters, like the two after it.
  package var endToEndID: String
  package var instructionID: String?
  package var transactionID: String?
  /// `UETR`: a UUID of version 4 in small letters.
  package var uetr: String?
  /// `IntrBkSttlmAmt`; above zero.
  package var amount: Money
  /// `IntrBkSttlmDt`, from the transfer or from the message's header.
  package var settlementDay: CalendarDate
  package var charges: ChargeBearer
  package var debtor: String?
  package var debtorAccount: AccountNumber?
  package var debtorAgent: Agent
  package var creditorAgent: Agent
  package var creditor: String?
  package var creditorAccount: AccountNumber?
  /// `RmtInf/Ustrd`: what the payment is for, each up to 140 characters.
  package var remittance: [String]

  /// What stands where the debtor gave no reference.
  package static let notProvided = "NOTPROVIDED"

  package init(
    endToEndID: String, instructionID: String? = nil, transactionID: String? = nil, uetr: String? = nil, amount: Money,
    settlementDay: CalendarDate, charges: ChargeBearer, debtor: String? = nil, debtorAccount: AccountNumber? = nil,
    debtorAgent: Agent, creditorAgent: Agent, creditor: String? = nil, creditorAccount: AccountNumber? = nil,
    remittance: [String] = []
  ) {
    (self.endToEndID, self.instructionID, self.transactionID) = (endToEndID, instructionID, transactionID)
    (self.uetr, self.amount, self.settlementDay, self.charges) = (uetr, amount, settlementDay, charges)
    (self.debtor, self.debtorAccount, self.debtorAgent) = (debtor, debtorAccount, debtorAgent)
    (self.creditor, self.creditorAccount, self.creditorAgent) = (creditor, creditorAccount, creditorAgent)
    self.remittance = remittance
  }
}
