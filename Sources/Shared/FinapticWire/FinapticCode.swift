// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Codes of errors with their families (finaptic §9.2). The one list of them: server and SDK read it.
public struct FinapticCode: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The status behind the code; itself for a family, `unknown` for a word that this version does not know.
  public var family: FinapticCode {
    if Self.families.contains(self) { return self }
    return Self.familyOfSpecific[self] ?? .unknown
  }

  /// The HTTP status of the code's family, by Google's mapping.
  public var httpStatus: Int { Self.statuses[family] ?? 500 }

  /// The family that an HTTP status stands for, where something on the way answered in the server's place.
  public static func family(ofStatus status: Int) -> FinapticCode {
    switch status {
    case 400, 413, 415: .invalidArgument
    case 401: .unauthenticated
    case 403: .permissionDenied
    case 404: .notFound
    case 409: .aborted
    case 429: .resourceExhausted
    case 499: .cancelled
    case 501: .unimplemented
    case 502, 503: .unavailable
    case 504: .deadlineExceeded
    case 500...599: .internal
    default: .unknown
    }
  }

  // MARK: Families
  /// The caller gave up.
  public static let cancelled = FinapticCode(rawValue: "CANCELLED")
  /// Nothing is known of the cause.
  public static let unknown = FinapticCode(rawValue: "UNKNOWN")
  /// The request is not well formed, whatever the state; violations name the members.
  public static let invalidArgument = FinapticCode(rawValue: "INVALID_ARGUMENT")
  /// It took too long; it may have been done.
  public static let deadlineExceeded = FinapticCode(rawValue: "DEADLINE_EXCEEDED")
  /// It does not exist, or the caller must not learn that it exists.
  public static let notFound = FinapticCode(rawValue: "NOT_FOUND")
  /// There is one already.
  public static let alreadyExists = FinapticCode(rawValue: "ALREADY_EXISTS")
  /// The caller is authenticated, but not authorized.
  public static let permissionDenied = FinapticCode(rawValue: "PERMISSION_DENIED")
  /// Too many calls; `Retry-After` tells when to try again.
  public static let resourceExhausted = FinapticCode(rawValue: "RESOURCE_EXHAUSTED")
  /// Not in this state.
  public static let failedPrecondition = FinapticCode(rawValue: "FAILED_PRECONDITION")
  /// An idempotency key came with another body.
  public static let aborted = FinapticCode(rawValue: "ABORTED")
  /// A position past the end.
  public static let outOfRange = FinapticCode(rawValue: "OUT_OF_RANGE")
  /// This server does not implement it.
  public static let unimplemented = FinapticCode(rawValue: "UNIMPLEMENTED")
  /// A fault of the server; always with a reference number.
  public static let `internal` = FinapticCode(rawValue: "INTERNAL")
  /// Temporarily unavailable.
  public static let unavailable = FinapticCode(rawValue: "UNAVAILABLE")
  /// What was stored cannot be read.
  public static let dataLoss = FinapticCode(rawValue: "DATA_LOSS")
  /// No user is signed in, or the client key is not known.
  public static let unauthenticated = FinapticCode(rawValue: "UNAUTHENTICATED")
  // MARK: Domain codes

  /// The registration belongs to another customer.
  public static let unauthorized = FinapticCode(rawValue: "UNAUTHORIZED")
  /// E-mail address, user name or password break a rule.
  public static let signupCredentialError = FinapticCode(rawValue: "SIGNUP_CREDENTIAL_ERROR")
  /// The user exists; `invalidArgument` when the password contains the user's name.
  public static let signupError = FinapticCode(rawValue: "SIGNUP_ERROR")
  /// Locked out, or the password was leaked or used before.
  public static let signinError = FinapticCode(rawValue: "SIGNIN_ERROR")
  /// Unknown user or wrong password.
  public static let signinInvalidPassword = FinapticCode(rawValue: "SIGNIN_INVALID_PASSWORD")
  /// A second factor is needed, missing or wrong.
  public static let mfaError = FinapticCode(rawValue: "MFA_ERROR")
  /// An administrator blocked the user.
  public static let signInUserBlocked = FinapticCode(rawValue: "SIGNIN_USER_BLOCKED")
  /// No such transaction, or not the caller's.
  public static let transInvalidTransaction = FinapticCode(rawValue: "TRANS_INVALID_TRANSACTION")
  /// No such account, or not the caller's.
  public static let transInteracInvalidAccount = FinapticCode(rawValue: "TRANS_INTERAC_INVALID_ACCOUNT")
  /// The alias is registered already.
  public static let transInteracAliasInUse = FinapticCode(rawValue: "TRANS_INTERAC_ALIAS_IN_USE")
  /// Too many registrations.
  public static let transInteracRegCountExceeded = FinapticCode(rawValue: "TRANS_INTERAC_REG_COUNT_EXCEEDED")
  /// Not a telephone number of Canada.
  public static let transInteracInvMobNumber = FinapticCode(rawValue: "TRANS_INTERAC_INV_MOB_NUMBER")
  /// Not an area code of Canada.
  public static let transInteracInvMobAreacode = FinapticCode(rawValue: "TRANS_INTERAC_INV_MOB_AREACODE")
  /// No such payment.
  public static let transInteracInvalidTransfer = FinapticCode(rawValue: "TRANS_INTERAC_INVALID_TRANSFER")
  /// The payment was cancelled.
  public static let transInteracAlreadyCancelled = FinapticCode(rawValue: "TRANS_INTERAC_ALREADY_CANCELLED")
  /// The payment was taken.
  public static let transInteracAlreadyAccepted = FinapticCode(rawValue: "TRANS_INTERAC_ALREADY_ACCEPTED")
  /// The payment is being taken.
  public static let transInteracPreviousTransferInProgress = FinapticCode(
    rawValue: "TRANS_INTERAC_PREVIOUS_TRANSFER_IN_PROGRESS")
  /// The payment is for another person.
  public static let transInteracInconsistentCustomer = FinapticCode(rawValue: "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
  /// More than the caller may take.
  public static let transInteracTransferLimitsExceeded = FinapticCode(
    rawValue: "TRANS_INTERAC_TRANSFER_LIMITS_EXCEEDED")
  /// The security question comes first.
  public static let transInteracAuthenticationRequired = FinapticCode(rawValue: "TRANS_INTERAC_AUTHENTICATION_REQUIRED")
  /// No such account, or not the caller's.
  public static let cardsInvalidAccount = FinapticCode(rawValue: "CARDS_INVALID_ACCOUNT")
  /// Not an authorized user of the account.
  public static let cardsInvalidAuthUser = FinapticCode(rawValue: "CARDS_INVALID_AUTHORIZED_USER")
  /// No such card, or not the caller's.
  public static let cardsInvalidCardId = FinapticCode(rawValue: "CARDS_INVALID_CARD_ID")

  /// The codes that stand for themselves.
  public static let families: [FinapticCode] = [
    .cancelled, .unknown, .invalidArgument, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied,
    .resourceExhausted, .failedPrecondition, .aborted, .outOfRange, .unimplemented, .internal, .unavailable,
    .dataLoss, .unauthenticated,
  ]

  /// Every word that this version knows.
  public static let known: [FinapticCode] =
    families + [
      .unauthorized, .signupCredentialError, .signupError, .signinError, .signinInvalidPassword, .mfaError,
      .signInUserBlocked, .transInvalidTransaction, .transInteracInvalidAccount, .transInteracAliasInUse,
      .transInteracRegCountExceeded, .transInteracInvMobNumber, .transInteracInvMobAreacode,
      .transInteracInvalidTransfer, .transInteracAlreadyCancelled, .transInteracAlreadyAccepted,
      .transInteracPreviousTransferInProgress, .transInteracInconsistentCustomer, .transInteracTransferLimitsExceeded,
      .transInteracAuthenticationRequired, .cardsInvalidAccount, .cardsInvalidAuthUser, .cardsInvalidCardId,
    ]

  private static let statuses: [FinapticCode: Int] = [
    .cancelled: 499, .unknown: 500, .invalidArgument: 400, .deadlineExceeded: 504, .notFound: 404,
    .alreadyExists: 409, .permissionDenied: 403, .resourceExhausted: 429, .failedPrecondition: 400, .aborted: 409,
    .outOfRange: 400, .unimplemented: 501, .internal: 500, .unavailable: 503, .dataLoss: 500, .unauthenticated: 401,
  ]

  private static let familyOfSpecific: [FinapticCode: FinapticCode] = [
    .unauthorized: .permissionDenied, .signupCredentialError: .invalidArgument, .signupError: .alreadyExists,
    .signinError: .unauthenticated, .signinInvalidPassword: .unauthenticated, .mfaError: .unauthenticated,
    .signInUserBlocked: .unauthenticated, .transInvalidTransaction: .invalidArgument,
    .transInteracInvalidAccount: .invalidArgument, .transInteracAliasInUse: .invalidArgument,
    .transInteracRegCountExceeded: .failedPrecondition, .transInteracInvMobNumber: .invalidArgument,
    .transInteracInvMobAreacode: .invalidArgument, .transInteracInvalidTransfer: .invalidArgument,
    .transInteracAlreadyCancelled: .failedPrecondition, .transInteracAlreadyAccepted: .failedPrecondition,
    .transInteracPreviousTransferInProgress: .failedPrecondition, .transInteracInconsistentCustomer: .invalidArgument,
    .transInteracTransferLimitsExceeded: .failedPrecondition,
    .transInteracAuthenticationRequired: .failedPrecondition, .cardsInvalidAccount: .invalidArgument,
    .cardsInvalidAuthUser: .invalidArgument, .cardsInvalidCardId: .invalidArgument,
  ]
}
