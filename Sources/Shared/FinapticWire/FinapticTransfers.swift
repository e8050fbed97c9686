// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// What the calls take that need nothing but the transaction.
  public struct TransactionRequest: Codable, Sendable, Hashable {
    public var transactionId: String?

    /// Creates the value from its members.
    public init(transactionId: String? = nil) {
      self.transactionId = transactionId
    }

    enum CodingKeys: String, CodingKey {
      case transactionId = "transaction_id"
    }
  }

  /// Which transfer: by its transaction, or by the key of the call that ordered it.
  public struct TransferDetailsRequest: Codable, Sendable, Hashable {
    public var transactionId: String?
    /// The `Idempotency-Key` of `initiateTransfer`, a UUID. ⊕
    public var idempotencyKey: String?

    /// Creates the value from its members.
    public init(transactionId: String? = nil, idempotencyKey: String? = nil) {
      (self.transactionId, self.idempotencyKey) = (transactionId, idempotencyKey)
    }

    enum CodingKeys: String, CodingKey {
      case transactionId = "transaction_id"
      case idempotencyKey = "idempotency_key"
    }
  }

  /// Money from one of the caller's accounts to another.
  public struct InitiateTransferRequest: Codable, Sendable, Hashable {
    public var sourceAccountId: String?
    public var destinationAccountId: String?
    public var fundTransfer: Amount?

    /// Creates the value from its members.
    public init(sourceAccountId: String? = nil, destinationAccountId: String? = nil, fundTransfer: Amount? = nil) {
      self.sourceAccountId = sourceAccountId
      self.destinationAccountId = destinationAccountId
      self.fundTransfer = fundTransfer
    }

    enum CodingKeys: String, CodingKey {
      case sourceAccountId = "source_account_id"
      case destinationAccountId = "destination_account_id"
      case fundTransfer = "fund_transfer"
    }
  }

  /// What became of it.
  public struct InitiateTransferResponse: Codable, Sendable, Hashable {
    public var details: TransferDetails
    /// Why it was declined; absent or empty when completed.
    public var reason: String?

    /// Creates the value from its members.
    public init(details: TransferDetails, reason: String? = nil) {
      (self.details, self.reason) = (details, reason)
    }
  }

  /// The latest state of a transfer.
  public struct TransferDetails: Codable, Sendable, Hashable {
    public var transactionId: String
    public var lifecycleTransactionId: String
    /// `DECLINED`, `COMPLETED` or `PENDING`.
    public var status: String
    /// `RECIPIENT` or `INITIATOR`.
    public var customerRole: String
    /// `INTERNAL_ACCOUNT_TO_ACCOUNT`, `INTERAC_AUTODEPOSIT` or `INTERAC_REGULAR_PAYMENT`.
    public var transferType: String
    public var counterparty: Counterparty?
    public var clearingSystemRefNumber: String
    public var remittance: Remittance?

    /// Creates the value from its members.
    public init(
      transactionId: String, lifecycleTransactionId: String, status: String, customerRole: String, transferType: String,
      counterparty: Counterparty? = nil, clearingSystemRefNumber: String, remittance: Remittance? = nil
    ) {
      (self.transactionId, self.lifecycleTransactionId, self.status) = (transactionId, lifecycleTransactionId, status)
      (self.customerRole, self.transferType, self.counterparty) = (customerRole, transferType, counterparty)
      (self.clearingSystemRefNumber, self.remittance) = (clearingSystemRefNumber, remittance)
    }

    enum CodingKeys: String, CodingKey {
      case status, counterparty, remittance
      case transactionId = "transaction_id"
      case lifecycleTransactionId = "lifecycle_transaction_id"
      case customerRole = "customer_role"
      case transferType = "transfer_type"
      case clearingSystemRefNumber = "clearing_system_ref_number"
    }
  }

  /// The other side of a transfer.
  public struct Counterparty: Codable, Sendable, Hashable {
    public var legalName: String

    /// Creates the value from its members.
    public init(legalName: String) {
      self.legalName = legalName
    }

    enum CodingKeys: String, CodingKey {
      case legalName = "legal_name"
    }
  }

  /// What the sender says the money is for (finaptic §8.7).
  public struct Remittance: Codable, Sendable, Hashable {
    public var unstructured: UnstructuredRemittance?
    /// JSON text: an array of documents in the manner of ISO 20022.
    public var structured: String?

    /// Creates the value from its members.
    public init(unstructured: UnstructuredRemittance? = nil, structured: String? = nil) {
      (self.unstructured, self.structured) = (unstructured, structured)
    }
  }

  /// Free text, up to 420 characters.
  public struct UnstructuredRemittance: Codable, Sendable, Hashable {
    public var data: String

    /// Creates the value from its members.
    public init(data: String) {
      self.data = data
    }
  }

  /// Which accounts a transfer of this type can go to.
  public struct ListTargetAccountsRequest: Codable, Sendable, Hashable {
    public var transferType: String?
    public var pageSize: Int?
    public var pageToken: String?

    /// Creates the value from its members.
    public init(transferType: String? = nil, pageSize: Int? = nil, pageToken: String? = nil) {
      (self.transferType, self.pageSize, self.pageToken) = (transferType, pageSize, pageToken)
    }

    enum CodingKeys: String, CodingKey {
      case transferType = "transfer_type"
      case pageSize = "page_size"
      case pageToken = "page_token"
    }
  }

  /// A page of accounts.
  public struct TargetAccountsResponse: Codable, Sendable, Hashable {
    public var accounts: [AccountIdentification]
    public var nextPageToken: String?

    /// Creates the value from its members.
    public init(accounts: [AccountIdentification], nextPageToken: String? = nil) {
      (self.accounts, self.nextPageToken) = (accounts, nextPageToken)
    }

    enum CodingKeys: String, CodingKey {
      case accounts
      case nextPageToken = "next_page_token"
    }
  }

  /// An account and the system that keeps it.
  public struct AccountIdentification: Codable, Sendable, Hashable {
    public var id: String
    public var sourceDomain: String

    /// Creates the value from its members.
    public init(id: String, sourceDomain: String) {
      (self.id, self.sourceDomain) = (id, sourceDomain)
    }

    enum CodingKeys: String, CodingKey {
      case id
      case sourceDomain = "source_domain"
    }
  }
}
