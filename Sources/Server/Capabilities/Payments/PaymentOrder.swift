// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Ledger

/// What a bank's customer, or a bank of another bank, orders to be paid: CustomerCreditTransferInitiation,
/// pain.001.001.09.
package struct PaymentOrderMessage: Sendable, Equatable {
  package static let namespace = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
  /// Orders of one message, of all its batches.
  package static let ordersMax = 100_000

  /// Orders from one account for one day (`PmtInf`).
  package struct Batch: Sendable, Equatable {
    /// `PmtInfId`, up to 35 characters.
    package var id: String
    /// `ReqdExctnDt`: when the debtor's bank shall begin.
    package var executionDay: CalendarDate
    package var debtor: String?
    package var debtorAccount: AccountNumber
    package var debtorAgent: Agent
    /// For the orders that do not say it themselves.
    package var charges: CreditTransfer.ChargeBearer?
    package var orders: [PaymentOrder]

    package init(
      id: String, executionDay: CalendarDate, debtor: String? = nil, debtorAccount: AccountNumber, debtorAgent: Agent,
      charges: CreditTransfer.ChargeBearer? = nil, orders: [PaymentOrder]
    ) {
      (self.id, self.executionDay, self.debtor, self.charges) = (id, executionDay, debtor, charges)
      (self.debtorAccount, self.debtorAgent, self.orders) = (debtorAccount, debtorAgent, orders)
    }
  }

  package var id: String
  package var created: MessageTime
  /// The name in `InitgPty`: who sends the orders.
  package var initiator: String?
  package var batches: [Batch]

  package init(id: String, created: MessageTime, initiator: String? = nil, batches: [Batch]) {
    (self.id, self.created, self.initiator, self.batches) = (id, created, initiator, batches)
  }
}

/// One payment that is ordered (`CdtTrfTxInf` of a pain.001).
package struct PaymentOrder: Sendable, Equatable {
  /// `EndToEndId`, up to 35 characters.
  package var endToEndID: String
  package var instructionID: String?
  /// A UUID of version 4 in small letters.
  package var uetr: String?
  /// `InstdAmt`; above zero.
  package var amount: Money
  package var charges: CreditTransfer.ChargeBearer?
  /// For whom the debtor pays, by an identifier that the debtor gave a person (`UltmtDbtr/Id/PrvtId/Othr/Id`), up to 35
  /// characters.
  package var ultimateDebtor: String?
  /// Their name (`UltmtDbtr/Nm`), up to 140 characters; written beside the identifier only.
  package var ultimateDebtorName: String?
  package var creditorAgent: Agent?
  package var creditor: String?
  package var creditorAccount: AccountNumber?
  /// Each up to 140 characters.
  package var remittance: [String]

  package init(
    endToEndID: String, instructionID: String? = nil, uetr: String? = nil, amount: Money,
    charges: CreditTransfer.ChargeBearer? = nil, ultimateDebtor: String? = nil, ultimateDebtorName: String? = nil,
    creditorAgent: Agent? = nil, creditor: String? = nil, creditorAccount: AccountNumber? = nil,
    remittance: [String] = []
  ) {
    (self.endToEndID, self.instructionID, self.uetr) = (endToEndID, instructionID, uetr)
    (self.amount, self.charges, self.creditorAgent) = (amount, charges, creditorAgent)
    (self.ultimateDebtor, self.ultimateDebtorName) = (ultimateDebtor, ultimateDebtorName)
    (self.creditor, self.creditorAccount, self.remittance) = (creditor, creditorAccount, remittance)
  }
}
