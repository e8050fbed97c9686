// SPDX-License-Identifier: Apache-2.0

internal import GatehouseUI
internal import OneAssistCore
package import OneAssistSDK
package import OneAssistUI

/// What the activation of a membership shows where no server is.
package enum OneAssistSpecimen {
  /// One of each kind of answer, and of what it may carry.
  package static var answers: [OneAssistEvent] {
    [.started] + OAAction.allCases.map { .stands($0) } + errors.map { .refused($0) } + [.card(nil)]
      + MembershipStatus.allCases.map { status in
        let isCovered = status == .approved || status == .queued
        return .card(
          MembershipCard(
            plan: "Screen protection", device: "iPhone 14", status: status, from: isCovered ? ScreenSpecimen.now : nil,
            to: isCovered ? ScreenSpecimen.now : nil))
      }
  }

  /// One for each text of a failure.
  package static let errors: [OAError] =
    [
      .ERROR_GET_MEMBERSHIP_DETAILS, .ERROR_SMS_NOT_SENT, .ERROR_MEMBERSHIP_APPROVED, .ERROR_UNABLE_TO_DO_OCR,
      .ERROR_PHOTO_PERMISSION, .ERROR_SCREEN_RECORDING, .ERROR_SCREENSHOT_FETCH, .ERROR_UNKNOW,
    ]
    + [
      "AUTH_005", "3004", "IMEI_ALREADY_COVERED", "PINCODE_UNKNOWN", "MOBILE_INVALID", "SECONDARY_EQUALS_PRIMARY",
      "RATE_LIMITED",
    ].map { .ERROR_API(code: $0, description: "") }

  /// The walk through all of it, with a code that is typed, or one that the app knows.
  package static func walk(
    code: String? = nil, _ look: (MachineWalk<OneAssistScreens>.Attempt) -> Void = { _ in }
  ) -> MachineWalk<OneAssistScreens> {
    MachineWalk(
      from: OneAssistScreens(language: .english, code: code), answers: answers,
      typed: { id in
        switch id {
        case "code": ["AC-1", ""]
        case "pincode": ["110001"]
        case "address": ["12 Garden Road"]
        default: ["9123456780"]
        }
      },
      key: { app in
        let typed = [OneAssistEvent.Field.pincode, .address, .mobile].map { app[$0].count }
        return "\(typed)\(app.isNumberRead)\(app.isLinkSent)"
      }, look)
  }
}
