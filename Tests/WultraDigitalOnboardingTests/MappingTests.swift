// SPDX-License-Identifier: Apache-2.0

import WultraWire
import Testing
import WultraPowerAuthNetworking

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: what the server says and what is shown")
struct MappingTests {
  /// wultra-onboarding.md §6, as text: phase and status, then what is shown. What is not here is not known.
  private static let table = """
    - NOT_INITIALIZED intro
    - FAILED failed
    DOCUMENT_UPLOAD IN_PROGRESS documents
    DOCUMENT_UPLOAD VERIFICATION_PENDING processing:documentVerification
    DOCUMENT_UPLOAD FAILED failed
    DOCUMENT_VERIFICATION ACCEPTED processing:documentAccepted
    DOCUMENT_VERIFICATION IN_PROGRESS processing:documentVerification
    DOCUMENT_VERIFICATION FAILED failed
    DOCUMENT_VERIFICATION REJECTED endstate:rejected
    DOCUMENT_VERIFICATION_FINAL ACCEPTED processing:documentsCrossVerification
    DOCUMENT_VERIFICATION_FINAL IN_PROGRESS processing:documentsCrossVerification
    DOCUMENT_VERIFICATION_FINAL FAILED failed
    DOCUMENT_VERIFICATION_FINAL REJECTED endstate:rejected
    CLIENT_EVALUATION IN_PROGRESS processing:clientVerification
    CLIENT_EVALUATION ACCEPTED processing:clientAccepted
    CLIENT_EVALUATION REJECTED endstate:rejected
    CLIENT_EVALUATION FAILED failed
    PRESENCE_CHECK NOT_INITIALIZED presenceCheck
    PRESENCE_CHECK IN_PROGRESS presenceCheck
    PRESENCE_CHECK VERIFICATION_PENDING processing:verifyingPresence
    PRESENCE_CHECK FAILED failed
    PRESENCE_CHECK REJECTED endstate:rejected
    OTP_VERIFICATION VERIFICATION_PENDING otp
    COMPLETED ACCEPTED success
    COMPLETED FAILED failed
    COMPLETED REJECTED endstate:rejected
    """

  private func shown(_ meaning: VerificationMapping.Meaning?) -> String? {
    switch meaning {
    case nil: nil
    case .askForDocuments: "documents"
    case .show(.endstate(let reason)): "endstate:" + last(reason.description)
    case .show(.processing(let item)): "processing:" + last(item.description)
    case .show(let state): last(state.description)
    }
  }

  private func last(_ name: String) -> String { String(name.split(separator: ".").last ?? "") }

  @Test("every phase with every status is in the table, or not known")
  func complete() {
    let expected = Dictionary(
      uniqueKeysWithValues: Self.table.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words[0] + " " + words[1], words[2])
      })
    #expect(expected.count == 26)
    let phases: [Wultra.VerificationPhase?] = [nil, .init(rawValue: "NEW")] + Wultra.VerificationPhase.known
    for phase in phases {
      for status in Wultra.VerificationStatus.known + [.init(rawValue: "NEW"), .init(rawValue: "")] {
        let cell = "\(phase?.rawValue ?? "-") \(status.rawValue)"
        #expect(shown(VerificationMapping.meaning(phase, status)) == expected[cell], "\(cell)")
      }
    }
  }

  private func document(_ status: Wultra.DocumentStatus, errors: [String]? = nil) -> Wultra.DocumentState {
    Wultra.DocumentState(
      filename: "f", id: "1", type: .idCard, side: .front, status: status, errors: errors)
  }

  private func screen(_ selected: SelectedDocuments?, _ documents: [Wultra.DocumentState]) -> String? {
    VerificationMapping.state(selected: selected, documents).map { shown(.show($0)) ?? "" }
  }

  @Test("documents with each status, alone and in pairs, lead where the rules say")
  func documents() {
    let selected = SelectedDocuments([.idCard])
    #expect(screen(nil, []) == "documentsToScanSelect")
    #expect(screen(selected, []) == "scanDocument")
    for first in Wultra.DocumentStatus.known {
      #expect(screen(nil, [document(first)]) == "failed")
      for second in Wultra.DocumentStatus.known {
        let both: Set = [first, second]
        let expected =
          if !both.isDisjoint(with: [.rejected, .failed]) { "scanDocument" } else if both == [.accepted] {
            "scanDocument"
          } else if both.isSubset(of: [.accepted, .disposed]) { "failed" } else { "processing:documentVerification" }
        #expect(screen(selected, [document(first), document(second)]) == expected, "\(first) \(second)")
      }
    }
    #expect(screen(selected, [document(.inProgress, errors: ["e"])]) == "scanDocument")
    #expect(screen(selected, [document(.inProgress, errors: [])]) == "processing:documentVerification")
    #expect(screen(selected, [document(.init(rawValue: "NEW"))]) == nil)
    #expect(screen(selected, [document(.init(rawValue: "NEW")), document(.rejected)]) == "scanDocument")
  }

  @Test("every known code of a refusal leads to a screen, or to none")
  func refusals() {
    let expected: [WPNKnownRestApiError: String] = [
      .onboardingFailed: "endstate:other", .onboardingLimitReached: "endstate:limitReached",
      .identityVerificationFailed: "failed", .presenceCheckLimitEached: "failed",
      .identityVerificationLimitReached: "failed",
    ]
    for code in WPNKnownRestApiError.allCases {
      #expect(VerificationMapping.state(after: code).flatMap { shown(.show($0)) } == expected[code], "\(code)")
    }
    #expect(VerificationMapping.state(after: nil) == nil)
  }

  @Test("what the user chose is forgotten when the verification is over or begins anew")
  func selectionEnds() {
    let ends = Wultra.VerificationStatus.known.filter(VerificationMapping.endsSelection)
    #expect(Set(ends) == [.failed, .rejected, .notInitialized, .accepted])
    #expect(!VerificationMapping.endsSelection(.init(rawValue: "NEW")))
  }

  @Test("states have the published words")
  func words() {
    let process = WDOVerificationScanProcess([])
    let states: [(WDOVerificationState, String)] = [
      (.intro, "intro"), (.consent("text"), "consent"), (.documentsToScanSelect, "documentsToScanSelect"),
      (.scanDocument(process), "scanDocument"), (.presenceCheck, "presenceCheck"), (.otp(3), "otp"),
      (.failed, "failed"), (.endstate(.rejected), "endstate"), (.success, "success"),
      (.processing(.other), "processing:WDOVerificationState.ProcessingItem.other"),
    ]
    for (state, word) in states { #expect(state.description == "WDOVerificationState.\(word)") }
    #expect(
      WDOVerificationState.ProcessingItem.allCases.map(\.description).map(last)
        == [
          "other", "documentUpload", "documentVerification", "documentAccepted", "documentsCrossVerification",
          "verifyingPresence", "clientVerification", "clientAccepted",
        ])
    #expect(
      WDOVerificationState.EndstateReason.allCases.map(\.description)
        == ["rejected", "limitReached", "other"].map { "WDOVerificationState.EndstateReason.\($0)" })
    #expect(
      WDOActivationService.Status.allCases.map(\.description)
        == ["activationInProgress", "verificationInProgress", "failed", "finished"].map {
          "WDOOnboardingService.Status.\($0)"
        })
  }

  @Test(
    "durations of ISO 8601",
    arguments: [
      ("PT30S", 30), ("PT1M", 60), ("PT1M30S", 90), ("PT2H", 7200), ("PT1H1M1S", 3661), ("PT0.5S", 0), ("PT0S", 0),
      ("PT", nil), ("", nil), ("30", nil), ("P1D", nil), ("PT-5S", nil), ("PT5", nil), ("pt5s", nil),
      ("PT1S1M", nil), ("PT9999999999S", nil), ("PT٣S", nil),
    ] as [(String, Int?)])
  func durations(text: String, seconds: Int?) { #expect(DurationText.seconds(text) == seconds) }
}
