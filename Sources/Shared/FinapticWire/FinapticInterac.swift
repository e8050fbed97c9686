// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// An autodeposit registration. Both ends send it: a client leaves out the first two.
  public struct Registration: Codable, Sendable, Hashable {
    public var registrationId: String?
    public var expiryDate: Instant?
    public var accountId: String?
    public var aliasEmail: String?
    public var aliasPhoneNumber: InteracPhone?

    /// Creates the value from its members.
    public init(
      registrationId: String? = nil, expiryDate: Instant? = nil, accountId: String? = nil, aliasEmail: String? = nil,
      aliasPhoneNumber: InteracPhone? = nil
    ) {
      (self.registrationId, self.expiryDate, self.accountId) = (registrationId, expiryDate, accountId)
      (self.aliasEmail, self.aliasPhoneNumber) = (aliasEmail, aliasPhoneNumber)
    }

    enum CodingKeys: String, CodingKey {
      case registrationId = "registration_id"
      case expiryDate = "expiry_date"
      case accountId = "account_id"
      case aliasEmail = "alias_email"
      case aliasPhoneNumber = "alias_phone_number"
    }
  }

  /// `+<country code>-<digits>`.
  public struct InteracPhone: Codable, Sendable, Hashable {
    public var phoneNumber: String?

    /// Creates the value from its members.
    public init(phoneNumber: String? = nil) {
      self.phoneNumber = phoneNumber
    }

    enum CodingKeys: String, CodingKey {
      case phoneNumber = "phone_number"
    }
  }

  /// Exactly one alias.
  public struct CreateRegistrationRequest: Codable, Sendable, Hashable {
    public var registration: Registration?

    /// Creates the value from its members.
    public init(registration: Registration? = nil) {
      self.registration = registration
    }
  }

  /// The registration as it is, or was.
  public struct RegistrationResponse: Codable, Sendable, Hashable {
    public var registration: Registration

    /// Creates the value from its members.
    public init(registration: Registration) {
      self.registration = registration
    }
  }

  /// The registrations of one account.
  public struct RegistrationsResponse: Codable, Sendable, Hashable {
    public var registrations: [Registration]

    /// Creates the value from its members.
    public init(registrations: [Registration]) {
      self.registrations = registrations
    }

    enum CodingKeys: String, CodingKey {
      case registrations = "Registrations"
    }
  }

  /// The account that it shall pay to from now on.
  public struct UpdateRegistrationRequest: Codable, Sendable, Hashable {
    public var registrationId: String?
    public var accountId: String?

    /// Creates the value from its members.
    public init(registrationId: String? = nil, accountId: String? = nil) {
      (self.registrationId, self.accountId) = (registrationId, accountId)
    }

    enum CodingKeys: String, CodingKey {
      case registrationId = "registration_id"
      case accountId = "account_id"
    }
  }

  /// Which to delete.
  public struct DeleteRegistrationRequest: Codable, Sendable, Hashable {
    public var registrationId: String?

    /// Creates the value from its members.
    public init(registrationId: String? = nil) {
      self.registrationId = registrationId
    }

    enum CodingKeys: String, CodingKey {
      case registrationId = "registration_id"
    }
  }

  /// What `getIncomingTransferDetails` takes.
  public struct IncomingTransferRequest: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String?

    /// Creates the value from its members.
    public init(interacPaymentNumber: String? = nil) {
      self.interacPaymentNumber = interacPaymentNumber
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
    }
  }

  /// What `getIncomingTransferDetails` answers.
  public struct IncomingTransferResponse: Codable, Sendable, Hashable {
    public var transferDetails: IncomingTransfer

    /// Creates the value from its members.
    public init(transferDetails: IncomingTransfer) {
      self.transferDetails = transferDetails
    }

    enum CodingKeys: String, CodingKey {
      case transferDetails = "transfer_details"
    }
  }

  /// Money that waits to be taken.
  public struct IncomingTransfer: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String
    /// `AVAILABLE`, `AUTHORIZED`, `ACCEPTED` or `CANCELED`.
    public var transferStatus: String
    public var transferAmount: Amount
    public var expiryDate: Instant
    public var initiatorName: String
    public var authenticationRequired: Bool
    public var securityQuestion: String?
    public var senderMemo: String?
    /// Goes behind the answer before it is hashed.
    public var hashSalt: String?
    /// `SHA256`.
    public var hashAlgorithm: String?

    /// Creates the value from its members.
    public init(
      interacPaymentNumber: String, transferStatus: String, transferAmount: Amount, expiryDate: Instant,
      initiatorName: String, authenticationRequired: Bool, securityQuestion: String? = nil, senderMemo: String? = nil,
      hashSalt: String? = nil, hashAlgorithm: String? = nil
    ) {
      self.interacPaymentNumber = interacPaymentNumber
      self.transferStatus = transferStatus
      self.transferAmount = transferAmount
      self.expiryDate = expiryDate
      self.initiatorName = initiatorName
      self.authenticationRequired = authenticationRequired
      (self.securityQuestion, self.senderMemo, self.hashSalt) = (securityQuestion, senderMemo, hashSalt)
      self.hashAlgorithm = hashAlgorithm
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
      case transferStatus = "transfer_status"
      case transferAmount = "transfer_amount"
      case expiryDate = "expiry_date"
      case initiatorName = "initiator_name"
      case authenticationRequired = "authentication_required"
      case securityQuestion = "security_question"
      case senderMemo = "sender_memo"
      case hashSalt = "hash_salt"
      case hashAlgorithm = "hash_algorithm"
    }
  }

  /// The hashed answer to the security question: SHA-256 in lower-case hexadecimal.
  public struct AuthenticateIncomingTransferRequest: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String?
    public var securityAnswer: String?

    /// Creates the value from its members.
    public init(interacPaymentNumber: String? = nil, securityAnswer: String? = nil) {
      (self.interacPaymentNumber, self.securityAnswer) = (interacPaymentNumber, securityAnswer)
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
      case securityAnswer = "security_answer"
    }
  }

  /// Whether the answer was right.
  public struct AuthenticateIncomingTransferResponse: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String
    public var success: Bool
    public var retryAllowed: Bool

    /// Creates the value from its members.
    public init(interacPaymentNumber: String, success: Bool, retryAllowed: Bool) {
      (self.interacPaymentNumber, self.success, self.retryAllowed) = (interacPaymentNumber, success, retryAllowed)
    }

    enum CodingKeys: String, CodingKey {
      case success
      case interacPaymentNumber = "interac_payment_number"
      case retryAllowed = "retry_allowed"
    }
  }

  /// Where the money shall go.
  public struct CompleteIncomingTransferRequest: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String?
    public var targetAccountId: String?
    public var recipientMemo: String?

    /// Creates the value from its members.
    public init(interacPaymentNumber: String? = nil, targetAccountId: String? = nil, recipientMemo: String? = nil) {
      self.interacPaymentNumber = interacPaymentNumber
      self.targetAccountId = targetAccountId
      self.recipientMemo = recipientMemo
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
      case targetAccountId = "target_account_id"
      case recipientMemo = "recipient_memo"
    }
  }

  /// The money's way into the account.
  public struct CompleteIncomingTransferResponse: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String
    public var transactionId: String
    public var lifecycleTransactionId: String

    /// Creates the value from its members.
    public init(interacPaymentNumber: String, transactionId: String, lifecycleTransactionId: String) {
      self.interacPaymentNumber = interacPaymentNumber
      self.transactionId = transactionId
      self.lifecycleTransactionId = lifecycleTransactionId
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
      case transactionId = "transaction_id"
      case lifecycleTransactionId = "lifecycle_transaction_id"
    }
  }

  /// Money that is not wanted.
  public struct DeclineIncomingTransferRequest: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String?
    public var recipientMemo: String?

    /// Creates the value from its members.
    public init(interacPaymentNumber: String? = nil, recipientMemo: String? = nil) {
      (self.interacPaymentNumber, self.recipientMemo) = (interacPaymentNumber, recipientMemo)
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
      case recipientMemo = "recipient_memo"
    }
  }

  /// See `DeclineIncomingTransferRequest`.
  public struct DeclineIncomingTransferResponse: Codable, Sendable, Hashable {
    public var interacPaymentNumber: String

    /// Creates the value from its members.
    public init(interacPaymentNumber: String) {
      self.interacPaymentNumber = interacPaymentNumber
    }

    enum CodingKeys: String, CodingKey {
      case interacPaymentNumber = "interac_payment_number"
    }
  }
}
