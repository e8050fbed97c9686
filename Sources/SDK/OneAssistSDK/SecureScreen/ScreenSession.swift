// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import OneAssistCore
internal import OneAssistWire

/// One key of the secure screen, and the codes that it makes (specification §7.4).
struct ScreenSession: Sendable {
  /// Where the server says nothing.
  private static let validSecondsStandard: Int64 = 900
  /// Milliseconds since 1970 that clocks show, up to the year 9999, and those of a step.
  private static let (times, steps): (ClosedRange<Int64>, ClosedRange<Int64>) = (0...253_402_300_799_999, 1...3_600_000)

  private let codes: RollingCode
  /// The server's clock when the key came, in milliseconds since 1970, and ours, which users cannot set.
  private let (serverTime, uptime): (Int64, Duration)
  /// How long the key is good for, from when it came.
  let lifetime: Duration

  /// - Returns: nil when the server's answer is not one that codes can be made of.
  init?(_ answer: OneAssist.ScreenKey, imei: KeptIMEI, clock: ClientClock) {
    guard let key = answer.hashKey.flatMap({ Data(base64Encoded: $0) }), let session = answer.sessionId?.strippedOrNil,
      let imei = IMEI(imei.imei)
    else { return nil }
    let time = answer.serverTime ?? answer.issuedAt ?? Int64(clock.wallTime() * 1000)
    let issuedAt = answer.issuedAt ?? time
    let step = answer.stepMillis ?? RollingCode.stepMillisecondsStandard
    (serverTime, uptime) = (time, clock.uptime())
    guard Self.times.contains(time), Self.times.contains(issuedAt), Self.steps.contains(step),
      let codes = RollingCode(
        key: key, sessionID: session, imei: imei, issuedAt: issuedAt,
        stepMilliseconds: step)
    else { return nil }
    self.codes = codes
    let seconds = max(1, min(answer.validSeconds ?? Self.validSecondsStandard, Self.validSecondsStandard))
    lifetime = .seconds(seconds) - .milliseconds(min(max(0, serverTime - issuedAt), seconds * 1000))
  }

  /// What there is to be seen now.
  func content(_ imei: KeptIMEI, clock: ClientClock) -> OASecureScreenContent {
    let now = serverNow(clock)
    let code = codes.code(at: max(now, codes.issuedAt))
    return OASecureScreenContent(
      imeis: [imei.imei] + (imei.imei2.map { [$0] } ?? []), code: code?.shown, hint: code?.shownHint,
      remaining: untilNext(clock))
  }

  /// Until another code is shown.
  func untilNext(_ clock: ClientClock) -> Duration {
    let elapsed = max(0, serverNow(clock) - codes.issuedAt)
    return .milliseconds(codes.stepMilliseconds - elapsed % codes.stepMilliseconds)
  }

  /// Since the key came.
  func age(_ clock: ClientClock) -> Duration { clock.uptime() - uptime }

  private func serverNow(_ clock: ClientClock) -> Int64 {
    let passed = age(clock)
    let milliseconds = passed.components.seconds * 1000 + passed.components.attoseconds / 1_000_000_000_000_000
    return serverTime + max(0, milliseconds)
  }
}
