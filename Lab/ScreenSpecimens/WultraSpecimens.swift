// SPDX-License-Identifier: Apache-2.0

package import GatehouseUI
package import WultraDigitalOnboarding
package import WultraOnboardingUI

/// What Wultra's onboarding shows where no server is.
package enum WultraSpecimen {
  package static func start(_ language: ScreenLanguage = .english) -> WultraScreens {
    WultraScreens(
      language: language,
      fields: [
        IdentityField(name: "clientNumber", label: "Client number"),
        IdentityField(name: "birthDate", label: "Date of birth", kind: .date),
      ], pinDigits: 4)
  }

  /// One of each kind of answer, and of what it may carry.
  package static var answers: [WultraEvent] {
    [.started, .stranger, .codeSent(resendAt: nil), .activated, .verifies, .requirements(nil)]
      + states.map { .stands($0) }
      + [
        WultraRefusal.offline, .wrongCode(2), .wrongCode(nil), .codeOver, .tooFewDocuments, .notActive, .other,
      ].map { .refused($0) }
  }

  package static var states: [WDOVerificationState] {
    [
      .intro, .consent("<p>Your documents are <b>checked</b>.</p>"), .documentsToScanSelect,
      .scanDocument(WDOVerificationScanProcess(specimen: [.idCard])),
      .scanDocument(WDOVerificationScanProcess(specimen: [.passport], refused: [.passport])),
      .scanDocument(WDOVerificationScanProcess(specimen: [.driversLicense])), .presenceCheck, .otp(nil), .otp(2),
      .failed, .success,
    ] + WDOVerificationState.ProcessingItem.allCases.map { .processing($0) }
      + WDOVerificationState.EndstateReason.allCases.map { .endstate($0) }
  }

  /// What is typed into a field in a walk.
  package static func typed(_ field: String) -> [String] {
    switch field {
    case "code": ["123456", "12"]
    case "pin": ["1234", "4321", "12"]
    case "birthDate": ["1974-08-12"]
    default: ["1234567"]
    }
  }

  /// The walk through all of it.
  package static func walk(
    _ look: (MachineWalk<WultraScreens>.Attempt) -> Void = { _ in }
  ) -> MachineWalk<WultraScreens> {
    MachineWalk(from: start(), answers: answers, typed: typed, key: key, look)
  }

  /// What tells states apart whose screens are the same.
  private static func key(_ app: WultraScreens) -> String {
    let chosen = app.documents.map(\.rawValue).sorted()
    switch app.stage {
    case .activating(let code), .code(let code): return code.typed
    case .scanning(let scan): return "\(scan.sides)"
    case .identifying: return "\(app.identity.count)"
    default: return "\(chosen)"
    }
  }
}
