// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit

/// Bodies of the simulation: what a sandbox's outside world does.
package enum SimulationBodies {
  /// Cash that is paid in.
  package struct Deposit: Decodable, Sendable {
    var accountId: String?
    var amount: FinapticAPI.Amount?
    /// Who paid it in; nil for an unnamed payer.
    var payerName: String?
    var remittance: FinapticAPI.Remittance?

    package init(
      accountId: String?, amount: FinapticAPI.Amount?, payerName: String? = nil,
      remittance: FinapticAPI.Remittance? = nil
    ) {
      (self.accountId, self.amount, self.payerName, self.remittance) = (accountId, amount, payerName, remittance)
    }

    enum CodingKeys: String, CodingKey {
      case amount, remittance
      case accountId = "account_id"
      case payerName = "payer_name"
    }
  }

  /// What was booked.
  package struct Booked: Codable, Sendable, Equatable {
    package let transactionId: String
    package let lifecycleTransactionId: String
    package let accountId: String

    enum CodingKeys: String, CodingKey {
      case transactionId = "transaction_id"
      case lifecycleTransactionId = "lifecycle_transaction_id"
      case accountId = "account_id"
    }
  }

  /// Money that is sent by Interac.
  package struct Transfer: Decodable, Sendable {
    package var aliasEmail: String?
    package var aliasPhoneNumber: FinapticAPI.InteracPhone?
    package var amount: FinapticAPI.Amount?
    package var senderName: String?
    package var senderMemo: String?
    package var securityQuestion: String?
    package var securityAnswer: String?
    /// The only customer who may take it, where no registration matches; nil for any customer who has the number.
    package var customerId: String?
    package var remittance: FinapticAPI.Remittance?

    package init(amount: FinapticAPI.Amount?, senderName: String?) {
      (self.amount, self.senderName) = (amount, senderName)
    }

    enum CodingKeys: String, CodingKey {
      case amount, remittance
      case aliasEmail = "alias_email"
      case aliasPhoneNumber = "alias_phone_number"
      case senderName = "sender_name"
      case senderMemo = "sender_memo"
      case securityQuestion = "security_question"
      case securityAnswer = "security_answer"
      case customerId = "customer_id"
    }
  }

  /// What became of it.
  package struct Sent: Codable, Sendable, Equatable {
    package let interacPaymentNumber: String
    /// `AVAILABLE`, `AUTHORIZED`, `ACCEPTED` or `CANCELED`.
    package let transferStatus: String
    /// `INTERAC_AUTODEPOSIT` or `INTERAC_REGULAR_PAYMENT`.
    package let transferType: String
    /// Where it went; nil while it waits.
    package let accountId: String?
    package let transactionId: String?

    init(_ transfer: IncomingTransfer, at now: Instant) {
      interacPaymentNumber = transfer.number.rawValue
      transferStatus = transfer.status(at: now).rawValue
      transferType = (transfer.kind == .autodeposit ? TransferType.interacAutodeposit : .interacPayment).rawValue
      (accountId, transactionId) = (transfer.account, transfer.transaction)
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
      case transferStatus = "transfer_status"
      case transferType = "transfer_type"
      case accountId = "account_id"
      case transactionId = "transaction_id"
    }
  }

  package struct Confirmation: Decodable, Sendable {
    var registrationId: String?

    package init(registrationId: String?) { self.registrationId = registrationId }

    enum CodingKeys: String, CodingKey { case registrationId = "registration_id" }
  }

  package struct Recall: Decodable, Sendable {
    var interacPaymentNumber: String?

    package init(interacPaymentNumber: String?) { self.interacPaymentNumber = interacPaymentNumber }

    enum CodingKeys: String, CodingKey { case interacPaymentNumber = "interac_payment_number" }
  }
}
