// SPDX-License-Identifier: Apache-2.0

internal import OneAssistCore

extension OAError {
  /// The error of a precondition that does not hold (specification §4.2).
  init(_ fault: CallFault) {
    self =
      switch fault {
      case .emptyToken: .ERROR_EMPTY_TOKEN
      case .emptyActivationCode: .ERROR_EMPTY_ACTIVATION_CODE
      case .imeiMissing: .ERROR_IMEI_MISSING
      case .argument(let fault): OAError(fault)
      case .status(let status): OAError(refusedBy: status) ?? .ERROR_UNKNOW
      case .statusUnknown: .ERROR_UNKNOW
      case .linkNotSent: .ERROR_SMS_NOT_SENT
      case .screenCaptured: .ERROR_SCREEN_RECORDING
      }
  }

  private init(_ fault: ArgumentFault) {
    self =
      switch fault {
      case .emptyMobileNumber: .ERROR_EMPTY_MOBILE_NUMBER
      case .emptyUserDetails: .ERROR_EMPTY_USER_DETAILS
      case .emptyPinCode: .ERROR_EMPTY_PINCODE
      case .emptyAddress: .ERROR_EMPTY_ADDRESS
      case .mobileInvalid, .secondaryEqualsPrimary: .sdk(fault.code)
      }
  }

  /// The error of a call that a status does not allow; nil for the statuses in which the user acts on photos.
  init?(refusedBy status: MembershipStatus) {
    switch status {
    case .detailsPending: self = .ERROR_MEMBERSHIP_IN_PROGRESS
    case .pending: self = .ERROR_MEMBERSHIP_PENDING
    case .approved: self = .ERROR_MEMBERSHIP_APPROVED
    case .queued: self = .ERROR_MEMBERSHIP_QUEUED
    case .rejected: self = .ERROR_MEMBERSHIP_REJECTED
    case .cancelled: self = .ERROR_MEMBERSHIP_CANCELLED
    case .detailsComplete, .reupload: return nil
    }
  }

  /// The app needs a new token from its own server, and begins at `initializeSDK`.
  static let sessionOver = sdk("AUTH_005")

  /// Neither the app nor its configuration names a server: a token goes nowhere.
  static let serverNotNamed = sdk("SERVER_NOT_NAMED")

  /// What the SDK says in an error of the API's form.
  /// - Parameters:
  ///   - code: what the app sees.
  ///   - text: the name of the text in the catalogue; nil when it is the code.
  static func sdk(_ code: String, text: String? = nil) -> OAError {
    .ERROR_API(code: code, description: OAErrorTexts.english[text ?? code] ?? code)
  }
}
