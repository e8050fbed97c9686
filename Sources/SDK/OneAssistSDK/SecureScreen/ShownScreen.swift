// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import OneAssistWire

extension Notification.Name {
  /// Posted when a screen begins or ends to be recorded or mirrored while the secure screen shows (§7.3).
  static let screenRecordingStatusChanged = Notification.Name("ScreenRecordingStatusChanged")
}

/// The secure screen from when it opens to when it closes (specification §7.2, §7.3).
///
/// 1. Until the first key is there, it waits; without a key it closes and fails.
/// 2. A code is shown for a step; a key for its lifetime, of which the last part goes into getting the next one.
/// 3. Recordings are looked for once a second and whenever the system reports a change; one closes the screen and fails.
/// 4. In the background nothing is shown and nothing runs; back again there is a new key.
/// 5. Whatever ends it: the lamp is as it was, and the screen is gone before anybody is told.
struct ShownScreen: Sendable {
  /// Between two looks after a recording.
  static let lookInterval = Duration.seconds(1)
  /// Before a key's end, from when the next one is asked for, and between two tries.
  static let (renewalLead, renewalPause) = (Duration.seconds(30), Duration.seconds(5))

  let host: any OASecureScreenHost
  let imei: KeptIMEI
  let ports: ActivationPorts
  let key: @Sendable () async -> Result<OneAssist.ScreenKey, OAError>
  let report: @Sendable (OneAssist.ScreenEvent) async -> Void

  enum Signal: Sendable {
    case happened(OASecureScreenEvent)
    /// Asked for in this turn at being visible.
    case key(Result<OneAssist.ScreenKey, OAError>, turn: Int)
    case nextCode(turn: Int), nextKey(turn: Int), keyOver(turn: Int)
    case look
  }

  /// - Returns: why it had to close; nil when the user closed it.
  func run() async -> OAError? {
    let (signals, mouth) = AsyncStream.makeStream(of: Signal.self)
    await host.present(waiting) { mouth.yield(.happened($0)) }
    var course = ScreenCourse(screen: self, mouth: mouth)
    await course.becomeVisible()
    let error = await course.follow(signals)
    await course.becomeHidden()
    mouth.finish()
    await host.dismiss()
    if error == .ERROR_SCREEN_RECORDING { await report(.init(event: "RECORDING")) }
    return error
  }

  var waiting: OASecureScreenContent {
    OASecureScreenContent(
      imeis: [imei.imei] + (imei.imei2.map { [$0] } ?? []), code: nil, hint: nil, remaining: nil)
  }
}
