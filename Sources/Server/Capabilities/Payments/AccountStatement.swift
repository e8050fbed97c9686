// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

/// Statements of accounts from the bank that keeps them: BankToCustomerStatement, camt.053.001.08.
package struct StatementMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"
  /// Entries of one message.
  package static let entriesMax = 100_000
  /// Statements of one message.
  package static let statementsMax = 100_000

  /// `MsgId`, up to 35 characters.
  package var id: String
  package var created: MessageTime
  package var statements: [AccountStatement]

  package init(id: String, created: MessageTime, statements: [AccountStatement]) {
    (self.id, self.created, self.statements) = (id, created, statements)
  }
}

/// Notices of single entries from the bank that keeps the accounts: BankToCustomerDebitCreditNotification,
/// camt.054.001.08.
package struct NotificationMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"
  /// Entries of one message.
  package static let entriesMax = 100_000

  /// What is said of one account (`Ntfctn`): entries without balances.
  package struct Notification: Sendable, Equatable {
    /// Up to 35 characters.
    package var id: String
    package var account: AccountNumber
    package var entries: [AccountStatement.Entry]

    package init(id: String, account: AccountNumber, entries: [AccountStatement.Entry]) {
      (self.id, self.account, self.entries) = (id, account, entries)
    }
  }

  /// `MsgId`, up to 35 characters.
  package var id: String
  package var created: MessageTime
  package var notifications: [Notification]

  package init(id: String, created: MessageTime, notifications: [Notification]) {
    (self.id, self.created, self.notifications) = (id, created, notifications)
  }
}

/// What happened on one account (`Stmt`).
package struct AccountStatement: Sendable, Equatable {
  /// A balance (`Bal`).
  package struct Balance: Sendable, Equatable {
    /// `Tp/CdOrPrtry`: such as OPBD, CLBD or CLAV (ISO 20022 external code list), or the bank's own.
    package var type: String
    /// Below zero when it is a debit.
    package var amount: Money
    package var day: CalendarDate

    package init(type: String, amount: Money, day: CalendarDate) {
      (self.type, self.amount, self.day) = (type, amount, day)
    }
  }

  /// An entry (`Ntry`).
  package struct Entry: Sendable, Equatable {
    /// Below zero when it is a debit.
    package var amount: Money
    /// It takes back an earlier entry. The sign of `amount` is its own, not that of the entry it takes back.
    package var isReversal: Bool
    /// `Sts`: BOOK, PDNG, INFO, FUTR or the bank's own.
    package var status: String
    package var booked: CalendarDate?
    package var valued: CalendarDate?
    /// `NtryRef` and `AcctSvcrRef`.
    package var reference: String?
    package var servicerReference: String?
    /// One for each transaction of the entry that the bank gives details of.
    package var details: [Detail]

    package init(
      amount: Money, isReversal: Bool, status: String, booked: CalendarDate? = nil, valued: CalendarDate? = nil,
      reference: String? = nil, servicerReference: String? = nil, details: [Detail]
    ) {
      (self.amount, self.isReversal, self.status) = (amount, isReversal, status)
      (self.booked, self.valued, self.reference) = (booked, valued, reference)
      (self.servicerReference, self.details) = (servicerReference, details)
    }
  }

  /// Of a transaction in an entry (`TxDtls`): by what it is found again.
  package struct Detail: Sendable, Equatable {
    package var messageID: String?
    package var instructionID: String?
    package var endToEndID: String?
    package var transactionID: String?
    package var uetr: String?
    /// Below zero when it is a debit. Nil when the bank gives no amount of the transaction alone.
    package var amount: Money?
    /// Of the payment behind it (`RltdPties`, `RltdAgts`).
    package var debtor: String?
    package var debtorAccount: AccountNumber?
    package var creditor: String?
    package var creditorAccount: AccountNumber?
    package var instructing: Agent?
    package var debtorAgent: Agent?
    package var creditorAgent: Agent?
    /// `RmtInf/Ustrd`, each up to 140 characters.
    package var remittance: [String] = []

    package init(
      messageID: String? = nil, instructionID: String? = nil, endToEndID: String? = nil, transactionID: String? = nil,
      uetr: String? = nil, amount: Money? = nil, debtor: String? = nil, debtorAccount: AccountNumber? = nil,
      creditor: String? = nil, creditorAccount: AccountNumber? = nil, instructing: Agent? = nil,
      debtorAgent: Agent? = nil, creditorAgent: Agent? = nil, remittance: [String] = []
    ) {
      (self.messageID, self.instructionID, self.endToEndID) = (messageID, instructionID, endToEndID)
      (self.transactionID, self.uetr, self.amount) = (transactionID, uetr, amount)
      (self.debtor, self.debtorAccount) = (debtor, debtorAccount)
      (self.creditor, self.creditorAccount) = (creditor, creditorAccount)
      (self.instructing, self.debtorAgent, self.creditorAgent) = (instructing, debtorAgent, creditorAgent)
      self.remittance = remittance
    }
  }

  /// `Id`, up to 35 characters.
  package var id: String
  package var account: AccountNumber
  package var balances: [Balance]
  package var entries: [Entry]

  package init(id: String, account: AccountNumber, balances: [Balance], entries: [Entry]) {
    (self.id, self.account, self.balances, self.entries) = (id, account, balances, entries)
  }

  /// What the booked entries miss between the opening and the closing booked balance: zero in a statement that adds up.
  /// Nil when it cannot be told: there is not exactly one of each balance, such as in a page of several, or the
  /// currencies differ.
  package var difference: Money? { sums.difference }
}
