// SPDX-License-Identifier: Apache-2.0

import OneAssistCore
import Testing

@Suite("OneAssist: what has to hold before a call")
struct ActivationCallTests {
  @Test("each call is allowed in exactly the statuses of the specification", arguments: ActivationCall.allCases)
  func statuses(call: ActivationCall) {
    for status in MembershipStatus.allCases {
      let isAllowed =
        switch status {
        case .detailsPending: call == .fetchDeviceId || call == .submitBasicDetails
        case .detailsComplete, .reupload: true
        case .pending, .queued, .approved, .rejected, .cancelled: false
        }
      #expect(call.firstFault(CallFacts(status: status.rawValue)) == (isAllowed ? nil : .status(status)))
    }
  }

  /// Everything that can be wrong, in the order of §4.2.
  private static let violations: [(CallFault, @Sendable (inout CallFacts) -> Void)] = [
    (.emptyToken, { $0.hasToken = false }), (.emptyActivationCode, { $0.hasActivationCode = false }),
    (.imeiMissing, { $0.hasIMEI = false }), (.argument(.emptyMobileNumber), { $0.argumentFault = .emptyMobileNumber }),
    (.status(.pending), { $0.status = "PENDING" }), (.linkNotSent, { $0.isLinkSent = false }),
    (.screenCaptured, { $0.isScreenCaptured = true }),
  ]

  @Test("of two violations at once the earlier one is the error", arguments: ActivationCall.allCases)
  func order(call: ActivationCall) {
    let own = Self.violations.filter { fault, _ in
      switch fault {
      case .imeiMissing: call.needsIMEI
      case .linkNotSent, .screenCaptured: call == .openSecureScreen
      default: true
      }
    }
    for (first, one) in own.indices.map({ (own[$0], $0) }) {
      for other in own[one...] {
        var facts = CallFacts(status: "REUPLOAD")
        first.1(&facts)
        other.1(&facts)
        #expect(call.firstFault(facts) == first.0)
      }
    }
  }

  @Test("calls that show no secure screen ask neither for a link nor for a quiet screen")
  func unasked() {
    var facts = CallFacts(status: "REUPLOAD")
    (facts.isLinkSent, facts.isScreenCaptured, facts.hasIMEI) = (false, true, false)
    #expect(ActivationCall.fetchDeviceId.firstFault(facts) == nil)
    #expect(ActivationCall.submitBasicDetails.firstFault(facts) == nil)
    #expect(ActivationCall.sendUploadLink.firstFault(facts) == .imeiMissing)
  }

  @Test("an unknown status is refused", arguments: [nil, "", "SOMETHING"])
  func unknown(status: String?) {
    #expect(ActivationCall.fetchDeviceId.firstFault(CallFacts(status: status)) == .statusUnknown)
  }

  @Test("PIN code and address: both for the one call, both or none for the other")
  func details() {
    func fault(_ pinCode: String?, _ address: String?, _ call: ActivationCall) -> ArgumentFault? {
      .ofDetails(pinCode: pinCode, address: address, in: call)
    }
    #expect(fault(" ", nil, .submitBasicDetails) == .emptyUserDetails)
    #expect(fault(nil, " \n", .fetchDeviceId) == nil)
    for call in [ActivationCall.submitBasicDetails, .fetchDeviceId] {
      #expect(fault("", "12 Lake Road", call) == .emptyPinCode)
      #expect(fault("560001", "\t", call) == .emptyAddress)
      #expect(fault("560001", "12 Lake Road", call) == nil)
    }
  }

  @Test("codes are the published ones")
  func codes() {
    let faults: [CallFault] =
      [.emptyToken, .emptyActivationCode, .imeiMissing, .statusUnknown, .linkNotSent, .screenCaptured]
      + ArgumentFault.allCases.map { .argument($0) }
    #expect(
      faults.map(\.code) == [
        "1001", "1002", "1007", "5000", "1008", "4003", "1004", "1005", "1006", "1003", "MOBILE_INVALID",
        "SECONDARY_EQUALS_PRIMARY",
      ])
  }
}
