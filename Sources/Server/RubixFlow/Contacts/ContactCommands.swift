// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// Confirms the phone number and the e-mail address by one-time codes (rubix-onboarding §6.10).
package struct ContactCommands: Sendable {
  static let purpose = "rubix contact"

  let core: CoreDependencies
  let passcodes: Passcodes
  let applications: Applications
  let steps: Steps

  /// Promises a code; the worker makes and sends it.
  package func send(_ channel: OTPChannel, _ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.sendOTP(channel), request)
    if let earlier = step.earlier { return earlier }
    do {
      _ = try step.body.decode(as: EmptyBody.self)
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        let (binding, destination) = try Self.binding(channel, dossier.application)
        let promised = try passcodes.request(binding, in: tx)
        dossier.application.record(channel.sentStep)
        try applications.move(channel, of: &dossier, on: .codeRequested, passcode: promised.id, in: tx)
        try applications.save(&dossier, in: tx)
        let view = SendOTPResponse(
          status: .success, destination: Self.masked(channel, destination),
          expiresIn: promised.expiresIn.wholeSeconds, resendIn: promised.resendIn.wholeSeconds,
          codeLength: promised.codeLength, sendsLeft: promised.sendsLeft)
        return try steps.keep(.ok(view), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  /// Tries a code. A wrong one is counted, changes no step and commits.
  package func verify(_ channel: OTPChannel, _ request: StepRequest) async throws -> StepAnswer {
    let step = try await steps.admit(.verifyOTP(channel), request)
    if let earlier = step.earlier { return earlier }
    do {
      let body = try step.body.decode(as: VerifyOTPRequest.self)
      guard body.type == nil || body.type == channel else {
        throw Problem.validation([.init("/type", "mismatch", "The type must agree with the path.")])
      }
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        return try steps.keep(try check(body.code, channel, &dossier, in: tx), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  private func check(
    _ code: String, _ channel: OTPChannel, _ dossier: inout Dossier, in tx: any SQLTransaction
  ) throws -> StepReply {
    guard dossier.application.contact(channel) != .confirmed else {
      return .ok(VerifyOTPResponse(status: .verified, alreadyVerified: true))
    }
    let binding = try Self.binding(channel, dossier.application).0
    switch try passcodes.check(code, for: binding, in: tx) {
    case .accepted: return try confirm(channel, &dossier, in: tx)
    case .refused(let attemptsLeft): return .problem(.otpMismatch(attemptsLeft: attemptsLeft))
    // Such a try is not counted, so as many are left as before: none once the code is void, all before its message
    // left.
    case .malformed, .none:
      return .problem(.otpMismatch(attemptsLeft: try passcodes.attemptsLeft(for: binding, in: tx)))
    case .expired: return .problem(Problem(.gone, "otp-expired", "The code has expired; ask for a new one."))
    case .locked(let retryAfter):
      return .problem(
        Problem(.locked, "otp-locked", "Too many wrong codes; try again later.")
          .with { $0.retryAfterSeconds = Int((retryAfter.milliseconds + 999) / 1000) })
    }
  }

  private func confirm(_ channel: OTPChannel, _ dossier: inout Dossier, in tx: any SQLTransaction) throws -> StepReply {
    dossier.application.record(channel.verifiedStep)
    try applications.move(channel, of: &dossier, on: .codeAccepted, in: tx)
    if channel == .sms, try supersedesOthers(dossier, in: tx) {
      // Only the holder of the phone learns this.
      try applications.move(&dossier, on: .superseded, by: "system", facts: ["reason": "existing_customer"], in: tx)
      return .problem(
        Problem(.conflict, "application-closed", "You are a customer already: sign in instead of applying."))
    }
    try applications.save(&dossier, in: tx)
    return .ok(VerifyOTPResponse(status: .verified, alreadyVerified: nil))
  }

  /// Possession of the phone is proved: earlier open applications with it end now (§3.5).
  /// - Returns: whether its owner is a customer already.
  private func supersedesOthers(
    _ dossier: Dossier, in tx: any SQLTransaction
  ) throws -> Bool {
    let store = ApplicationStore(tx, vault: core.vault)
    var isCustomer = false
    for id in try store.withContact(
      dossier.application.applicant.contactNo, tenant: dossier.tenant.id, except: dossier.application.id)
    {
      var other = try applications.load(id, tenant: dossier.tenant, in: tx)
      if other.application.phase == .completed {
        isCustomer = true
      } else if applicationFlow.allows(.superseded, from: other.application.phase),
        id.rawValue < dossier.application.id.rawValue
      {
        if other.appointment != nil {
          let call = try applications.appointments(of: dossier.tenant).cancelCurrent(for: id.rawValue, in: tx)
          try BrowserCalls.finish(call, by: "system", core, in: tx)
          other.appointment = nil
        }
        try applications.move(
          &other, on: .superseded, by: "system", facts: ["by": dossier.application.id.rawValue], in: tx)
      }
    }
    return isCustomer
  }

  /// What a code is for, and where it goes.
  /// - Throws: `Problem` validation-failed while no e-mail address was given.
  private static func binding(
    _ channel: OTPChannel, _ application: Application
  ) throws -> (PasscodeBinding, destination: String) {
    guard let destination = destination(channel, application) else {
      throw Problem.validation([
        .init("/email", "required", "No e-mail address is known. Give one with PUT /auth/me first.")
      ])
    }
    let binding = PasscodeBinding(
      channel == .sms ? .sms : .email, to: destination, subject: application.id.rawValue, purpose: purpose)
    return (binding, destination)
  }

  /// Nil while no e-mail address was given.
  static func destination(_ channel: OTPChannel, _ application: Application) -> String? {
    channel == .sms ? application.applicant.contactNo : application.applicant.email
  }

  private static func masked(_ channel: OTPChannel, _ destination: String) -> String {
    switch channel {
    case .sms: PhoneNumber(destination)?.masked ?? "•••"
    case .email: EmailAddress(destination)?.masked ?? "•••"
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
  static func otpMismatch(attemptsLeft: Int) -> Problem {
    Problem(.unprocessable, "otp-mismatch", "The code is not right.").with { $0.attemptsLeft = attemptsLeft }
  }
}
