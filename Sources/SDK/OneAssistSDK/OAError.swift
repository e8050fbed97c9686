// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why a call failed (specification §2.3). Names and numbers are the published ones.
public enum OAError: Error, Sendable, Equatable, Hashable {
  /// The token is blank, or `initializeSDK` was not called.
  case ERROR_EMPTY_TOKEN
  /// The activation code is blank, or no activation was started.
  case ERROR_EMPTY_ACTIVATION_CODE
  /// No number to send the link to.
  case ERROR_EMPTY_MOBILE_NUMBER
  /// Neither PIN code nor address.
  case ERROR_EMPTY_USER_DETAILS
  /// An address without a PIN code.
  case ERROR_EMPTY_PINCODE
  /// A PIN code without an address.
  case ERROR_EMPTY_ADDRESS
  /// This device's number is not known: call `fetchDeviceId`.
  case ERROR_IMEI_MISSING
  /// No link was sent for this activation.
  case ERROR_SMS_NOT_SENT
  /// The details of the membership are missing.
  case ERROR_MEMBERSHIP_IN_PROGRESS
  /// The membership is under review.
  case ERROR_MEMBERSHIP_PENDING
  /// Cover is active.
  case ERROR_MEMBERSHIP_APPROVED
  /// Cover starts later.
  case ERROR_MEMBERSHIP_QUEUED
  /// The membership was refused for good.
  case ERROR_MEMBERSHIP_REJECTED
  /// The membership was cancelled.
  case ERROR_MEMBERSHIP_CANCELLED
  /// The order could not be looked up.
  case ERROR_GET_MEMBERSHIP_DETAILS
  /// The list of photos could not be looked up.
  case ERROR_GET_REQ_DOC_DETAILS
  /// PIN code, address and number were not taken.
  case ERROR_UPDATE_USER_DETAILS
  /// The link was not sent.
  case ERROR_SEND_UPLOAD_LINK
  /// There is no IMEI in the screenshot.
  case ERROR_UNABLE_TO_DO_OCR
  /// The user does not let the app see photos.
  case ERROR_PHOTO_PERMISSION
  /// The screen is recorded or mirrored.
  case ERROR_SCREEN_RECORDING
  /// A screenshot was expected and cannot be found.
  case ERROR_SCREENSHOT_FETCH
  /// The screenshot cannot be loaded.
  case ERROR_SCREENSHOT_LOAD
  /// Something here is in the way: the device cannot dial, its storage refuses, or the call was overtaken.
  case ERROR_UNABLE_TO_PROCESS_DESC
  /// Anything else. Spelled as published.
  case ERROR_UNKNOW
  /// The server said why, or could not be reached.
  case ERROR_API(code: String, description: String)

  /// See `ERROR_UNKNOW`.
  public static var ERROR_UNKNOWN: OAError { .ERROR_UNKNOW }

  /// Digits as text; of `ERROR_API` the server's own word.
  public var errorCode: String {
    switch self {
    case .ERROR_EMPTY_TOKEN: "1001"
    case .ERROR_EMPTY_ACTIVATION_CODE: "1002"
    case .ERROR_EMPTY_MOBILE_NUMBER: "1003"
    case .ERROR_EMPTY_USER_DETAILS: "1004"
    case .ERROR_EMPTY_PINCODE: "1005"
    case .ERROR_EMPTY_ADDRESS: "1006"
    case .ERROR_IMEI_MISSING: "1007"
    case .ERROR_SMS_NOT_SENT: "1008"
    case .ERROR_MEMBERSHIP_IN_PROGRESS: "2001"
    case .ERROR_MEMBERSHIP_PENDING: "2002"
    case .ERROR_MEMBERSHIP_APPROVED: "2003"
    case .ERROR_MEMBERSHIP_QUEUED: "2004"
    case .ERROR_MEMBERSHIP_REJECTED: "2005"
    case .ERROR_MEMBERSHIP_CANCELLED: "2006"
    case .ERROR_GET_MEMBERSHIP_DETAILS: "3001"
    case .ERROR_GET_REQ_DOC_DETAILS: "3002"
    case .ERROR_UPDATE_USER_DETAILS: "3003"
    case .ERROR_SEND_UPLOAD_LINK: "3004"
    case .ERROR_UNABLE_TO_DO_OCR: "4001"
    case .ERROR_PHOTO_PERMISSION: "4002"
    case .ERROR_SCREEN_RECORDING: "4003"
    case .ERROR_SCREENSHOT_FETCH: "4004"
    case .ERROR_SCREENSHOT_LOAD: "4005"
    case .ERROR_UNABLE_TO_PROCESS_DESC: "4006"
    case .ERROR_UNKNOW: "5000"
    case .ERROR_API(let code, _): code
    }
  }

  /// For people, in the language that they prefer; English where there is no translation. `OAErrorTexts` has the texts.
  public var localizedDescription: String { OAErrorTexts.preferred[self] }
}

extension OAError: LocalizedError {
  /// The same as `localizedDescription`, for code that has the error as an `any Error`.
  public var errorDescription: String? { localizedDescription }
}
