// SPDX-License-Identifier: Apache-2.0

import OneAssistCore
import Testing

@Suite("OneAssist: the stage that follows from a membership")
struct ActivationStageTests {
  /// Status, whether the IMEI is there, whether the front is refused, stage: every row of §4.1, spelled out.
  private static let rows: [(MembershipStatus, Bool, Bool, ActivationStage)] = [
    (.detailsPending, false, false, .fetchDeviceId), (.detailsPending, false, true, .fetchDeviceId),
    (.detailsPending, true, false, .provideUserBasicDetail), (.detailsPending, true, true, .provideUserBasicDetail),
    (.detailsComplete, false, false, .fetchDeviceId), (.detailsComplete, false, true, .fetchDeviceId),
    (.detailsComplete, true, false, .sendUploadLinkOrOpenSecureScreen),
    (.detailsComplete, true, true, .sendUploadLinkOrOpenSecureScreen),
    (.reupload, false, false, .sendUploadLink), (.reupload, true, false, .sendUploadLink),
    (.reupload, false, true, .fetchDeviceId), (.reupload, true, true, .sendUploadLinkOrOpenSecureScreen),
  ]

  @Test("the user's three statuses lead to the stages of the published table")
  func users() {
    for (status, hasIMEI, isFrontRefused, stage) in Self.rows {
      #expect(ActivationStage.of(status, hasIMEI: hasIMEI, isFrontRefused: isFrontRefused) == stage)
    }
  }

  @Test("the other five statuses leave nothing to do", arguments: MembershipStatus.allCases.filter { $0.turn != .user })
  func others(status: MembershipStatus) {
    for (hasIMEI, isFrontRefused) in [(false, false), (false, true), (true, false), (true, true)] {
      #expect(ActivationStage.of(status, hasIMEI: hasIMEI, isFrontRefused: isFrontRefused) == .completed)
    }
  }

  @Test("a missing or unknown status is a failure, not a success")
  func faults() {
    #expect(throws: ActivationStage.Fault.statusMissing) {
      try ActivationStage.of(status: nil, hasIMEI: true, isFrontRefused: false)
    }
    #expect(throws: ActivationStage.Fault.statusMissing) {
      try ActivationStage.of(status: "", hasIMEI: true, isFrontRefused: false)
    }
    #expect(throws: ActivationStage.Fault.statusUnknown) {
      try ActivationStage.of(status: "approved", hasIMEI: true, isFrontRefused: false)
    }
  }

  @Test("the front counts as refused only when its state is given and not accepted")
  func front() {
    #expect(ActivationStage.isFrontRefused([("SCREEN_IMAGE", "RJ")]))
    #expect(ActivationStage.isFrontRefused([("BACK_IMAGE", "AC"), ("SCREEN_IMAGE", "PN")]))
    #expect(!ActivationStage.isFrontRefused([("SCREEN_IMAGE", "AC"), ("BACK_IMAGE", "RJ")]))
    #expect(!ActivationStage.isFrontRefused([("SCREEN_IMAGE", nil)]))
    #expect(!ActivationStage.isFrontRefused([]))
  }

  @Test("the words on the wire are the published ones, and each has its turn")
  func words() {
    let turns = MembershipStatus.allCases.map { "\($0.rawValue) \($0.turn.rawValue) \($0.refusalCode ?? "-")" }
    #expect(
      turns == [
        "POSTDTLPENDING USER 2001", "POSTDTLCOMPLETE USER -", "REUPLOAD USER -", "PENDING ONEASSIST 2002",
        "QUEUED ONEASSIST 2004", "APPROVED NONE 2003", "REJECTED NONE 2005", "CANCELLED NONE 2006",
      ])
  }
}
