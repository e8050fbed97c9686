// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Identity
import Kit
import Storage

/// Which devices of a customer pushes go to (finaptic §8.9).
struct ChannelCommands: Sendable {
  /// Of one customer; the one that was registered longest ago makes room for another.
  static let devicesMax = 20

  let core: CoreDependencies
  let sessions: Sessions

  /// - Throws: `Problem` token-revoked for a session that ended while the call was read; invalid argument.
  func register(
    _ request: FinapticAPI.RegisterChannelRequest, id: PushChannel.ID, tenant: Int, customer: String,
    by user: FinapticSignedIn, in tx: any SQLTransaction
  ) throws {
    // The token was looked at before the body came, which may take a minute. What ends all sessions of a user and forgets
    // their devices changes the user's row, and what ends those of many changes the sessions' rows. Both are held: it
    // comes before this or after it.
    _ = try FinapticUserStore(tx, vault: core.vault).take(customer: customer, tenant: tenant)
    try sessions.requireOpen(user.identity, in: tx)
    var check = InputCheck()
    let device = check.channelID(request.deviceId, "deviceId")
    let registration = check.channelID(request.registrationId, "registrationId")
    try check.end()
    guard let device, let registration else { throw Problem.unexpected }
    let platform = PushMessage.Platform(registration: registration)
    let channel = PushChannel(
      // Apple's tokens are the same however their digits are written.
      id: id, tenant: tenant, customer: customer, platform: platform,
      registration: platform == .apple ? registration.lowercased() : registration)
    let store = PushChannelStore(tx, vault: core.vault)
    try store.put(channel, device: device, at: core.world.now())
    try store.trim(customer, tenant: tenant, to: Self.devicesMax)
    try core.note("channel.registered", customer, by: user.actor, ["platform": platform.rawValue], in: tx)
  }
}
