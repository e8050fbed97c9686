// SPDX-License-Identifier: Apache-2.0

/// FinapticErrorCode
public enum FinapticErrorCode: String, CaseIterable, Codable, Hashable, Sendable {
  /// The caller gave up.
  case cancelled = "CANCELLED"
  /// Nothing is known of the cause.
  case unknown = "UNKNOWN"
  /// The request is not well formed, whatever the state; violations name the members.
  case invalidArgument = "INVALID_ARGUMENT"
  /// It took too long; it may have been done.
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  /// It does not exist, or the caller may not know of it.
  case notFound = "NOT_FOUND"
  /// There is one already.
  case alreadyExists = "ALREADY_EXISTS"
  /// The caller is known and may not.
  case permissionDenied = "PERMISSION_DENIED"
  /// Too often; `Retry-After` says when.
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  /// Not in this state.
  case failedPrecondition = "FAILED_PRECONDITION"
  /// An idempotency key came with another body.
  case aborted = "ABORTED"
  /// Past the end.
  case outOfRange = "OUT_OF_RANGE"
  /// This server does not do it.
  case unimplemented = "UNIMPLEMENTED"
  /// A fault of the server; always with a reference number.
  case `internal` = "INTERNAL"
  /// Not now.
  case unavailable = "UNAVAILABLE"
  /// What was stored cannot be read.
  case dataLoss = "DATA_LOSS"
  /// No user is signed in, or the client key is not known.
  case unauthenticated = "UNAUTHENTICATED"
  /// The registration belongs to another customer.
  case unauthorized = "UNAUTHORIZED"
  /// E-mail address, user name or password break a rule.
  case signupCredentialError = "SIGNUP_CREDENTIAL_ERROR"
  /// The user exists; `invalidArgument` when the password is made of what the user is called.
  case signupError = "SIGNUP_ERROR"
  /// Locked out, or the password was leaked or used before.
  case signinError = "SIGNIN_ERROR"
  /// Unknown user or wrong password.
  case signinInvalidPassword = "SIGNIN_INVALID_PASSWORD"
  /// A second factor is needed, missing or wrong.
  case mfaError = "MFA_ERROR"
  /// An administrator blocked the user.
  case signInUserBlocked = "SIGNIN_USER_BLOCKED"
  /// No such transaction, or not the caller's.
  case transInvalidTransaction = "TRANS_INVALID_TRANSACTION"
  /// No such account, or not the caller's.
  case transInteracInvalidAccount = "TRANS_INTERAC_INVALID_ACCOUNT"
  /// The alias is registered already.
  case transInteracAliasInUse = "TRANS_INTERAC_ALIAS_IN_USE"
  /// Too many registrations.
  case transInteracRegCountExceeded = "TRANS_INTERAC_REG_COUNT_EXCEEDED"
  /// Not a telephone number of Canada.
  case transInteracInvMobNumber = "TRANS_INTERAC_INV_MOB_NUMBER"
  /// Not an area code of Canada.
  case transInteracInvMobAreacode = "TRANS_INTERAC_INV_MOB_AREACODE"
  /// No such payment.
  case transInteracInvalidTransfer = "TRANS_INTERAC_INVALID_TRANSFER"
  /// The payment was cancelled.
  case transInteracAlreadyCancelled = "TRANS_INTERAC_ALREADY_CANCELLED"
  /// The payment was taken.
  case transInteracAlreadyAccepted = "TRANS_INTERAC_ALREADY_ACCEPTED"
  /// The payment is being taken.
  case transInteracPreviousTransferInProgress = "TRANS_INTERAC_PREVIOUS_TRANSFER_IN_PROGRESS"
  /// The payment is for another person.
  case transInteracInconsistentCustomer = "TRANS_INTERAC_INCONSISTENT_CUSTOMER"
  /// More than the caller may take.
  case transInteracTransferLimitsExceeded = "TRANS_INTERAC_TRANSFER_LIMITS_EXCEEDED"
  /// The security question comes first.
  case transInteracAuthenticationRequired = "TRANS_INTERAC_AUTHENTICATION_REQUIRED"
  /// No such account, or not the caller's.
  case cardsInvalidAccount = "CARDS_INVALID_ACCOUNT"
  /// Not an authorized user of the account.
  case cardsInvalidAuthUser = "CARDS_INVALID_AUTHORIZED_USER"
  /// No such card, or not the caller's.
  case cardsInvalidCardId = "CARDS_INVALID_CARD_ID"

  /// A word that this version does not know becomes `unknown`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
  }
}

extension FinapticErrorCode {
  /// The published texts name both `.internal` and `.internalError`: they are one code.
  public static let internalError = FinapticErrorCode.internal
}
