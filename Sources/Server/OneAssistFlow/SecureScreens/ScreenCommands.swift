// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// Keys for the secure screen, and what the codes in photos prove (oneassist §7).
struct ScreenCommands: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy
  let memberships: MembershipService

  /// A new session of the screen.
  /// - Throws: `Problem` MEMBERSHIP_STATUS_CHANGED; 1007; 1008; RATE_LIMITED.
  func open(_ activity: String?, by caller: SDKTokens.Caller) async throws -> OneAssist.ScreenKey {
    // Drawn once: the transaction may run again.
    let (id, key) = (ScreenStore.Screen.ID(core.world), Data(core.world.random(RollingCode.keyBytes)))
    return try await core.database.write(retrying: .outdated) { tx in
      let membership = try memberships.find(activity: activity, of: caller, in: tx)
      return try open(membership, id: id, key: key, by: caller.actor, in: tx)
    }
  }

  private func open(
    _ membership: Membership, id: ScreenStore.Screen.ID, key: Data, by actor: String, in tx: any SQLTransaction
  ) throws -> OneAssist.ScreenKey {
    var facts = CallFacts(status: membership.status.rawValue)
    (facts.hasIMEI, facts.isLinkSent) = (membership.imei != nil, membership.linkSentAt != nil)
    switch ActivationCall.openSecureScreen.firstFault(facts) {
    case nil: break
    case .imeiMissing?:
      throw Problem.oneAssist(.conflict, CallFault.imeiMissing.code, "IMEI is missing").withStatus(membership.status)
    case .linkNotSent?:
      throw Problem.oneAssist(.conflict, CallFault.linkNotSent.code, "Send message on secondary device first")
        .withStatus(membership.status)
    default: throw Problem.statusChanged.withStatus(membership.status)
    }
    let now = core.world.now()
    let store = ScreenStore(tx, vault: core.vault)
    try checkPace(try store.times(of: membership.id, limit: policy.screensPerHour), at: now, membership.status)
    try store.insert(
      .init(id: id, issuedAt: now, secrets: .init(key: key, imei: membership.content.imei ?? "")), of: membership.id)
    try core.audit.note("screen.opened", membership.id, by: actor, ["screen": id.rawValue], in: tx)
    var answer = OneAssist.ScreenKey()
    (answer.hashKey, answer.sessionId) = (key.base64EncodedString(), id.rawValue)
    (answer.issuedAt, answer.serverTime) = (now.milliseconds, now.milliseconds)
    (answer.stepMillis, answer.validSeconds) = (
      policy.screenStep.milliseconds, Int64(policy.screenLifetime.wholeSeconds)
    )
    answer.taskInfo = .init(status: membership.status.rawValue)
    return answer
  }

  /// - Parameter times: the newest first.
  private func checkPace(_ times: [Instant], at now: Instant, _ status: MembershipStatus) throws {
    guard times.count >= policy.screensPerHour, let first = times.last, now - first < .hours(1) else { return }
    let wait = (.hours(1) - (now - first)).milliseconds
    throw Problem.oneAssist(.rateLimited, "RATE_LIMITED", "Too many secure screens; try again later.")
      .with { $0.retryAfterSeconds = max(1, Int((wait + 999) / 1000)) }.withStatus(status)
  }

  /// What the app saw happen while the screen showed.
  func happened(
    _ event: String?, on activity: String?, by caller: SDKTokens.Caller
  ) async throws -> OneAssist.TaskStatus {
    let flags: [String: Membership.Flag] = ["SCREENSHOT": .screenshotTaken, "RECORDING": .screenRecorded]
    return try await core.database.write(retrying: .outdated) { tx in
      var membership = try memberships.find(activity: activity, of: caller, in: tx)
      guard let flag = flags[event ?? ""] else {
        throw Problem.member("/event", "EVENT_UNKNOWN", "SCREENSHOT or RECORDING.")
      }
      if try memberships.flag(flag, &membership, by: caller.actor, in: tx) {
        try memberships.save(&membership, in: tx)
      }
      return OneAssist.TaskStatus(taskInfo: .init(status: membership.status.rawValue))
    }
  }

  /// What eleven digits prove that were read from a photo (§7.4). A verified code is taken: no other photo can show it.
  ///
  /// Only screens of the phone that is on the membership count: one that was opened before another phone's number came
  /// shows that other phone.
  /// - Parameters:
  ///   - digits: nil when nothing could be read for certain.
  ///   - time: when the photo arrived.
  func verdict(
    _ digits: String?, at time: Instant, of membership: Membership, in tx: any SQLTransaction
  ) throws -> CodeVerdict {
    guard let digits, SecureScreenCode.isWellFormed(digits) else { return .unreadable }
    let store = ScreenStore(tx, vault: core.vault)
    let window = (time - policy.codeAgeMax).milliseconds...(time + policy.codeAheadMax).milliseconds
    // The earliest session that may have shown a code in the window; the step's end counts too.
    let earliest = time - policy.codeAgeMax - policy.screenLifetime - policy.codeAheadMax - policy.screenStep
    let screens = try store.around(time + policy.codeAheadMax, since: earliest, of: membership.id)
    var wasShown = false
    for screen in screens where screen.secrets.imei == membership.content.imei {
      guard let code = screen.code(step: policy.screenStep) else { continue }
      // A code after the end of its session was never shown, so a photo of it proves nothing.
      let end = (screen.issuedAt + policy.screenLifetime + policy.codeAheadMax).milliseconds
      let shown = screen.issuedAt.milliseconds...end
      guard let counter = code.counter(showing: digits, within: shown) else { continue }
      wasShown = true
      let at = screen.issuedAt.milliseconds + Int64(clamping: counter) * policy.screenStep.milliseconds
      // The step's end counts too: it was on the screen for the whole of it.
      guard at <= window.upperBound, at + policy.screenStep.milliseconds > window.lowerBound else { continue }
      if try store.take(counter, of: screen.id) { return .verified }
    }
    return wasShown ? .expired : .mismatch
  }
}
