import Delivery
import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Storage

/// Confirms the phone number and the e-mail address by one-time codes (rubix-onboarding §6.10).
package struct ContactCommands: Sendable {
  static let purpose = "rubix contact"

  let runner: StepRunner
  var parts: RubixDependencies { runner.parts }

  package init(runner: StepRunner) { self.runner = runner }

  /// Promises a code; the worker makes and sends it.
  package func send(_ channel: OTPChannel, _ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(.sendOTP(channel), request, body: EmptyBody.self) { dossier, _, tx in
      let promised = try parts.passcodes.request(Self.binding(channel, dossier.application), in: tx)
      dossier.application.record(channel.sentStep)
      try runner.move(channel, of: &dossier, on: .codeRequested, passcode: promised.id, in: tx)
      try runner.save(&dossier, in: tx)
      return .ok(
        SendOTPResponse(
          status: .success, destination: Self.masked(channel, dossier.application),
          expiresIn: promised.expiresIn.wholeSeconds, resendIn: promised.resendIn.wholeSeconds,
          codeLength: promised.codeLength, sendsLeft: promised.sendsLeft))
    }
  }

  /// Tries a code. A wrong one is counted, changes no step and commits.
  package func verify(_ channel: OTPChannel, _ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(.verifyOTP(channel), request, body: VerifyOTPRequest.self) { dossier, body, tx in
      guard body.type == nil || body.type == channel else {
        throw Problem.validation([.init("/type", "mismatch", "The type must agree with the path.")])
      }
      guard dossier.application.contact(channel) != .confirmed else {
        return .ok(VerifyOTPResponse(status: .verified, alreadyVerified: true))
      }
      switch try parts.passcodes.check(body.code, for: Self.binding(channel, dossier.application), in: tx) {
      case .accepted: return try confirm(channel, &dossier, in: tx)
      case .refused(let attemptsLeft): return .problem(.otpMismatch(attemptsLeft: attemptsLeft))
      case .malformed, .none: return .problem(.otpMismatch(attemptsLeft: nil))
      case .expired: return .problem(Problem(.gone, "otp-expired", "The code has expired; ask for a new one."))
      case .locked(let retryAfter):
        return .problem(
          Problem(.locked, "otp-locked", "Too many wrong codes; try again later.")
            .with { $0.retryAfterSeconds = Int((retryAfter.milliseconds + 999) / 1000) })
      }
    }
  }

  private func confirm(_ channel: OTPChannel, _ dossier: inout Dossier, in tx: any SQLTransaction) throws -> StepReply {
    dossier.application.record(channel.verifiedStep)
    try runner.move(channel, of: &dossier, on: .codeAccepted, in: tx)
    if channel == .sms, try supersedesOthers(dossier, in: tx) {
      // Only the holder of the phone learns this.
      try runner.move(&dossier, on: .superseded, by: "system", facts: ["reason": "existing_customer"], in: tx)
      return .problem(
        Problem(.conflict, "application-closed", "You are a customer already: sign in instead of applying."))
    }
    try runner.save(&dossier, in: tx)
    return .ok(VerifyOTPResponse(status: .verified, alreadyVerified: nil))
  }

  /// Possession of the phone is proved: earlier open applications with it end now (§3.5).
  /// - Returns: whether its owner is a customer already.
  private func supersedesOthers(
    _ dossier: Dossier, in tx: any SQLTransaction
  ) throws -> Bool {
    let store = ApplicationStore(tx, vault: parts.vault)
    var isCustomer = false
    for id in try store.withContact(
      dossier.application.applicant.contactNo, tenant: dossier.tenant.id, except: dossier.application.id)
    {
      var other = try runner.load(id, tenant: dossier.tenant, in: tx)
      if other.application.phase == .completed {
        isCustomer = true
      } else if applicationFlow.allows(.superseded, from: other.application.phase),
        id.rawValue < dossier.application.id.rawValue
      {
        if other.appointment != nil {
          _ = try runner.appointments(of: dossier.tenant).cancelCurrent(for: id.rawValue, in: tx)
          other.appointment = nil
        }
        try runner.move(&other, on: .superseded, by: "system", facts: ["by": dossier.application.id.rawValue], in: tx)
      }
    }
    return isCustomer
  }

  static func binding(_ channel: OTPChannel, _ application: Application) -> PasscodeBinding {
    PasscodeBinding(
      channel == .sms ? .sms : .email, to: destination(channel, application), subject: application.id.rawValue,
      purpose: purpose)
  }

  static func destination(_ channel: OTPChannel, _ application: Application) -> String {
    channel == .sms ? application.applicant.contactNo : application.applicant.email
  }

  private static func masked(_ channel: OTPChannel, _ application: Application) -> String {
    switch channel {
    case .sms: PhoneNumber(application.applicant.contactNo)?.masked ?? "•••"
    case .email: EmailAddress(application.applicant.email)?.masked ?? "•••"
    }
  }
}

/// What the worker needs to send a code: ids only.
struct SendPasscode: Codable, Sendable {
  let tenant: String
  let channel: OTPChannel
  let passcode: String

  var text: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }
}

extension Problem {
  static func otpMismatch(attemptsLeft: Int?) -> Problem {
    Problem(.unprocessable, "otp-mismatch", "The code is not right.").with { $0.attemptsLeft = attemptsLeft }
  }
}
