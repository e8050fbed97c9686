// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
internal import OneAssistCore
internal import OneAssistSDK

/// The names of what the screens of an activation show.
public enum OneAssistText: String, ScreenText {
  // MARK: Everywhere
  case appTitle, loading, actionContinue, actionRetry, actionLook, actionCancel

  // MARK: Code, number and details
  case codeTitle, codeText, codeLabel, deviceTitle, deviceWay, deviceShot, deviceBack, hintWhole, hintAll, hintNew,
    deviceRead, deviceFound, detailsTitle, detailsText, detailsPincode, detailsAddress

  // MARK: Link and secure screen
  case linkTitle, linkText, linkMobile, linkSend, linkSent, linkAgain, secureTitle, secureText, secureOpen, secureHint,
    secureIsOpen, secureClose

  // MARK: Membership
  case membershipTitle, membershipWait, cardPlan, cardDevice, cardStatus, cardFrom, cardTo, statusOpen, statusPhotos,
    statusPending, statusQueued, statusApproved, statusRejected, statusCancelled

  // MARK: Failures
  case failureOther, failureServer, failureSession, failureCode, failurePhotos, failureShot, failureNumber,
    failureCovered, failureNotSent, failurePincode, failureMobile, failureSameMobile, failureTooOften, failureRecording

  /// English, French and Arabic.
  public static let tables: [ScreenLanguage: [OneAssistText: String]] = [
    .english: english, .french: french, .arabic: arabic,
  ]

  /// Why a call failed, by the published codes and the server's (oneassist §2.3, §9).
  init(_ error: OAError) {
    self =
      switch error.errorCode {
      // The server knows no such activation; without a connection it is an `ERROR_API` of the same code.
      case "3001" where error == .ERROR_GET_MEMBERSHIP_DETAILS: .failureCode
      case "1001", "AUTH_005": .failureSession
      case "1002": .failureCode
      case "1008": .failureNotSent
      case "3001", "3002", "3003", "3004": .failureServer
      case "4001": .failureNumber
      case "4002": .failurePhotos
      case "4003": .failureRecording
      case "4004", "4005": .failureShot
      case "IMEI_ALREADY_COVERED": .failureCovered
      case "PINCODE_UNKNOWN": .failurePincode
      case "MOBILE_INVALID": .failureMobile
      case "SECONDARY_EQUALS_PRIMARY": .failureSameMobile
      case "RATE_LIMITED": .failureTooOften
      default: .failureOther
      }
  }

  init(_ status: MembershipStatus) {
    self =
      switch status {
      case .detailsPending: .statusOpen
      case .detailsComplete, .reupload: .statusPhotos
      case .pending: .statusPending
      case .queued: .statusQueued
      case .approved: .statusApproved
      case .rejected: .statusRejected
      case .cancelled: .statusCancelled
      }
  }
}
