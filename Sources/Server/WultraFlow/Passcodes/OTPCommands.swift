// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import WultraWire

/// The code that ends a verification (wultra-onboarding.md §3 #11, #12).
package struct OTPCommands: Sendable {
  let dossiers: Dossiers
  private var core: CoreDependencies { dossiers.core }

  /// - Throws: `Problem` ONBOARDING_OTP_FAILED when none is asked for, or it is too soon for another.
  package func resend(_ process: String, by caller: VerificationCaller) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      guard var dossier = try dossiers.open(process, of: caller, in: tx) else { return .refused(.onboardingFailed) }
      guard dossier.verification?.state == .awaitingOTP else { throw Problem.otpFailed }
      dossier.process.person.language = caller.language
      guard try dossiers.promiseOTP(&dossier, resend: true, in: tx) else { throw Problem.otpFailed }
      try dossiers.move(&dossier, on: .otpResent, by: "customer", in: tx)
      try dossiers.save(&dossier, in: tx)
      return .answer(())
    }.get()
  }

  /// Tries a code. A failed presence check is not shown before this call, and then only as a wrong code.
  /// - Throws: `Problem` ONBOARDING_OTP_FAILED when none is asked for, ONBOARDING_PROCESS_LIMIT_REACHED when the
  ///   process
  ///   ended by it.
  package func verify(
    _ request: Wultra.OTPVerifyRequest, by caller: VerificationCaller
  ) async throws -> Wultra.OTPVerdict {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Wultra.OTPVerdict> in
      guard var dossier = try dossiers.open(request.processId, of: caller, in: tx) else {
        return .refused(.onboardingFailed)
      }
      guard let verification = dossier.verification, verification.state == .awaitingOTP else {
        throw Problem.otpFailed
      }
      switch try dossiers.passcodes.check(request.otpCode, for: verification.binding, in: tx) {
      case .accepted: return try accept(&dossier, in: tx)
      case .expired:
        try dossiers.audit("otp.expired", dossier.process, by: "customer", in: tx)
        return .answer(verdict(dossier, expired: true))
      case .refused, .locked, .none, .malformed: return try refuse(&dossier, in: tx)
      }
    }.get()
  }

  private func accept(_ dossier: inout Dossier, in tx: any SQLTransaction) throws -> Decided<Wultra.OTPVerdict> {
    guard !dossiers.policy.checksPresence || dossier.verification?.presence == .accepted else {
      let isOver = try dossiers.score(WultraPolicy.Score.userVerificationOTPFailed.rawValue, &dossier, in: tx)
      if !isOver {
        dossier.verification?.presence = nil
        dossier.verification?.passcode = nil
        try dossiers.move(&dossier, on: .presenceRepeated, by: "customer", facts: ["code": "canceledOtp"], in: tx)
      }
      try dossiers.save(&dossier, in: tx)
      return isOver ? .refused(.processLimitReached) : .answer(verdict(dossier))
    }
    dossier.verification?.isOTPVerified = true
    try dossiers.complete(&dossier, in: tx)
    try dossiers.save(&dossier, in: tx)
    return .answer(verdict(dossier, verified: true))
  }

  /// Counts a wrong code. The last one that is allowed ends the verification, and the process if it has no attempt left.
  private func refuse(_ dossier: inout Dossier, in tx: any SQLTransaction) throws -> Decided<Wultra.OTPVerdict> {
    dossier.verification?.otpFailures += 1
    let left = dossiers.policy.otpFailuresMax - (dossier.verification?.otpFailures ?? 0)
    var isOver = try dossiers.score(WultraPolicy.Score.userVerificationOTPFailed.rawValue, &dossier, in: tx)
    if !isOver, left <= 0 {
      try dossiers.voidPasscodes(dossier, in: tx)
      try dossiers.move(&dossier, on: .otpExhausted, failure: .maxFailedAttemptsOtp, by: "customer", in: tx)
      isOver = try dossiers.score(WultraPolicy.Score.verificationReset.rawValue, &dossier, in: tx)
    } else if !isOver {
      try dossiers.hold(&dossier, in: tx)
      try dossiers.audit(
        "otp.refused", dossier.process, by: "customer",
        facts: ["failures": "\(dossier.verification?.otpFailures ?? 0)"], in: tx)
    }
    try dossiers.save(&dossier, in: tx)
    return isOver ? .refused(.processLimitReached) : .answer(verdict(dossier, remaining: max(0, left)))
  }

  private func verdict(
    _ dossier: Dossier, verified: Bool = false, expired: Bool = false, remaining: Int = 0
  ) -> Wultra.OTPVerdict {
    Wultra.OTPVerdict(
      processId: dossier.process.id.rawValue, onboardingStatus: dossier.process.status.wire, verified: verified,
      expired: expired, remainingAttempts: remaining)
  }
}

extension Dossiers {
  /// Promises the code that ends the verification; the caller moves and saves.
  /// - Returns: false when it is too soon for another.
  func promiseOTP(_ dossier: inout Dossier, resend: Bool, in tx: any SQLTransaction) throws -> Bool {
    guard let binding = dossier.verification?.binding else { return false }
    do {
      let promised = try passcodes.request(binding, in: tx)
      dossier.verification?.passcode = promised.id
      let order = PasscodeDelivery.Order(
        passcode: promised.id.rawValue, destination: binding.destination, kind: .userVerification, resend: resend)
      try core.outbox.enqueue(
        PasscodeDelivery.topic, subject: dossier.process.id.rawValue, payload: order.text, in: tx)
      return true
    } catch let problem as Problem where problem.category == .rateLimited {
      return false
    }
  }
}
