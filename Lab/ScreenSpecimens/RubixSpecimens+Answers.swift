// SPDX-License-Identifier: Apache-2.0

package import OnboardingUI
package import RubixOnboarding

extension RubixSpecimen {
  /// One of each kind of answer, and of what it may carry.
  package static var answers: [RubixEvent] { calls + views + refusals }

  private static var calls: [RubixEvent] {
    [
      .started, .noApplication, .mismatched, .challenge(nil),
      .challenge(LivenessChallenge(challengeID: "c", kind: .headTurn, expiresOn: later(60))),
      .sent(sent, .sms, at: ScreenSpecimen.now), .template(.kyc, template, countries, today: today),
      .template(.crs, tooNew, [], today: today), .slots(slots), .slots([]),
    ]
  }

  /// With a question of a type that this version does not know.
  private static let tooNew = ComplianceTemplate(
    id: "t", name: "CRS", version: 9,
    sections: [.init(id: "s", name: "S", questions: [.init(id: "q", title: "Q", type: .init(rawValue: "smell"))])])

  private static let address = "https://calls.example/1"

  private static var views: [RubixEvent] {
    [
      "/sessions", "/faces/selfie/upload", "/faces/liveness/upload", "/documents/nationality-id-back/upload",
      "/documents/passport/process", "/documents/verification", "/otp/sms/send", "/otp/sms/verify", "/otp/email/send",
      "/otp/email/verify", "/aml/screening", "/compliance/crs", "/compliance/fatca", "/compliance/kyc",
      "/agents/appointments", "/agents/verification", "/something/new",
    ].map { .stands(view($0)) } + [
      .stands(view(uploads[0], "/documents/nationality-id-back/upload", uploads[1], uploads[2])),
      .stands(view(uploads[1])),
      .stands(view("/faces/selfie/upload", selfies: [.faceCapture, .faceEnrollment])),
      .stands(view("/agents/verification", appointment: appointment())),
      .stands(view("/agents/verification", appointment: appointment(.inCall, joinURL: address, isRecorded: true))),
      .stands(view("/agents/verification", appointment: appointment(.done))),
    ] + [OnboardingStatus.inReview, .completed, .rejected, .abandoned, .expired].map { .stands(view(status: $0)) }
  }

  private static var refusals: [RubixEvent] {
    [.refused(.sessionLost), .refused(.transport(TransportError(.offline))), .refused(.decoding("body"))]
      + [
        ProblemCode.imageQuality, .documentUnreadable, .wrongDocumentType, .livenessFailed, .otpExpired, .otpLocked,
        .rateLimited, .slotTaken, .stepOutOfOrder, .providerError,
      ].map { .refused(problem($0)) }
      + [
        .refused(problem(.otpMismatch, attemptsLeft: 2)), .refused(problem(.contactInUse, fields: ["/contact_no"])),
        .refused(problem(.validationFailed, fields: ["/email"])),
        .refused(problem(.validationFailed, fields: ["/results/0/option_ids"])),
      ]
  }

  package static func problem(
    _ code: ProblemCode, attemptsLeft: Int? = nil, fields: [String] = []
  ) -> RubixError {
    .problem(
      ProblemDetails(
        type: "about:blank", title: code.rawValue, status: 422, code: code,
        errors: fields.isEmpty ? nil : fields.map { .init(field: $0, code: "wrong", message: "This is not right.") },
        attemptsLeft: attemptsLeft))
  }
}
