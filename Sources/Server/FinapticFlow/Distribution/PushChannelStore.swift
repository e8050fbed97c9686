// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// Rows of `finaptic_push_channel`.
package struct PushChannelStore {
  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// One row for each customer's device, and one for each registration: the last customer who registered it has it.
  package static let migration = Migration(
    "2026-11-22 finaptic 61 push channel",
    """
    CREATE TABLE finaptic_push_channel (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      customer_id TEXT NOT NULL,
      device_digest TEXT NOT NULL,
      registration_digest TEXT NOT NULL,
      platform TEXT NOT NULL CHECK (platform IN ('ios', 'android')),
      registration BLOB NOT NULL,
      registered_at BIGINT NOT NULL,
      UNIQUE (tenant_id, customer_id, device_digest),
      UNIQUE (tenant_id, registration_digest)
    );
    """)

  /// Takes the place of what the device had before, and takes the registration from another device.
  func put(_ channel: PushChannel, device: String, at now: Instant) throws {
    let deviceDigest = vault.digest("\(channel.tenant)\u{0}\(device)", for: "finaptic device")
    let digest = digest(channel.registration, channel.tenant)
    try tx.execute(
      """
      DELETE FROM finaptic_push_channel WHERE tenant_id = \(channel.tenant) AND registration_digest = \(digest)
        AND NOT (customer_id = \(channel.customer) AND device_digest = \(deviceDigest))
      """)
    // Apps register at every start: the same again stays the same, so that what is on its way arrives.
    let isSame = try tx.execute(
      """
      UPDATE finaptic_push_channel SET registered_at = \(now)
      WHERE tenant_id = \(channel.tenant) AND customer_id = \(channel.customer) AND device_digest = \(deviceDigest)
        AND registration_digest = \(digest)
      """)
    guard isSame == 0 else { return }
    // The id is of one registration: what is on its way to the one before is not sent to this one.
    try tx.execute(
      """
      INSERT INTO finaptic_push_channel
        (id, tenant_id, customer_id, device_digest, registration_digest, platform, registration, registered_at)
      VALUES (\(channel.id), \(channel.tenant), \(channel.customer), \(deviceDigest), \(digest),
        \(channel.platform.rawValue), \(try sealed(channel)), \(now))
      ON CONFLICT (tenant_id, customer_id, device_digest) DO UPDATE SET id = excluded.id,
        registration_digest = excluded.registration_digest, platform = excluded.platform,
        registration = excluded.registration, registered_at = excluded.registered_at
      """)
  }

  func find(_ id: PushChannel.ID) throws -> PushChannel? {
    try tx.first(
      "SELECT id, tenant_id, customer_id, platform, registration FROM finaptic_push_channel WHERE id = \(id)"
    ).map(channel)
  }

  /// Without what is sealed.
  func platform(of id: PushChannel.ID) throws -> String? {
    try tx.first("SELECT platform FROM finaptic_push_channel WHERE id = \(id)")?.get("platform")
  }

  /// Of a customer, those that were registered last.
  func ids(of customer: String, tenant: Int, limit: Int) throws -> [PushChannel.ID] {
    try tx.query(
      """
      SELECT id FROM finaptic_push_channel WHERE tenant_id = \(tenant) AND customer_id = \(customer)
      ORDER BY registered_at DESC, id DESC LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Which of the customers have a device.
  func carriers(among customers: [String], tenant: Int) throws -> Set<String> {
    guard !customers.isEmpty else { return [] }
    return Set(
      try tx.query(
        """
        SELECT DISTINCT customer_id FROM finaptic_push_channel
        WHERE tenant_id = \(tenant) AND customer_id IN \(list: customers)
        """
      ).map { try $0.get("customer_id") })
  }

  /// Forgets the devices of a customer beyond so many, those that were registered longest ago.
  func trim(_ customer: String, tenant: Int, to count: Int) throws {
    try tx.execute(
      """
      DELETE FROM finaptic_push_channel WHERE id IN (
        SELECT id FROM finaptic_push_channel WHERE tenant_id = \(tenant) AND customer_id = \(customer)
        ORDER BY registered_at DESC, id DESC LIMIT 1000 OFFSET \(count))
      """)
  }

  /// - Returns: whether it was there.
  func delete(_ id: PushChannel.ID) throws -> Bool {
    try tx.execute("DELETE FROM finaptic_push_channel WHERE id = \(id)") == 1
  }

  /// Forgets every device of a customer, for an erasure.
  package func forget(_ customer: String, tenant: Int) throws {
    try tx.execute(
      "DELETE FROM finaptic_push_channel WHERE tenant_id = \(tenant) AND customer_id = \(customer)")
  }

  /// The same for sessions that an operator ends.
  /// - Parameters:
  ///   - user: an id; nil for every user of the tenant.
  ///   - limit: devices of one transaction where it is every user.
  /// - Returns: how many were forgotten.
  static func forget(user: String?, tenant: Int, limit: Int, in tx: any SQLTransaction) throws -> Int {
    guard let user else {
      return try tx.execute(
        """
        DELETE FROM finaptic_push_channel WHERE id IN
          (SELECT id FROM finaptic_push_channel WHERE tenant_id = \(tenant) LIMIT \(limit))
        """)
    }
    return try tx.execute(
      """
      DELETE FROM finaptic_push_channel WHERE tenant_id = \(tenant)
        AND customer_id IN (SELECT customer_id FROM finaptic_user WHERE id = \(user) AND tenant_id = \(tenant))
      """)
  }

  /// Forgets every device of a user whose sessions end, because one of them may be a thief's: a push has amounts and
  /// balances. The user's own apps register again at their next start.
  func forget(_ user: FinapticUser) throws {
    if let customer = user.customer { try forget(customer, tenant: user.tenant) }
  }

  private func digest(_ registration: String, _ tenant: Int) -> String {
    vault.digest("\(tenant)\u{0}\(registration)", for: "finaptic registration")
  }

  private func sealed(_ channel: PushChannel) throws -> Data {
    let user = try KeySubject.customer(channel.customer, in: tx)
    // An erasure does not see what is registered meanwhile.
    if let user { try vault.holdSubjectKey(of: user, in: tx) }
    return try vault.seal(Data(channel.registration.utf8), context: Self.context(channel.id), of: user, in: tx)
  }

  private func channel(_ row: SQLRow) throws -> PushChannel {
    let id: PushChannel.ID = try row.get("id")
    guard let platform = PushMessage.Platform(rawValue: try row.get("platform")) else { throw UnknownPlatform() }
    return PushChannel(
      id: id, tenant: try row.get("tenant_id"), customer: try row.get("customer_id"), platform: platform,
      registration: String(
        decoding: try vault.open(row.get("registration"), context: Self.context(id), in: tx), as: UTF8.self))
  }

  private static func context(_ id: PushChannel.ID) -> String { "finaptic_push_channel.registration:\(id)" }

  struct UnknownPlatform: Error {}
}

/// A device of a customer that pushes go to (finaptic §8.9).
struct PushChannel: Sendable, Equatable {
  typealias ID = Identifier<PushChannel>

  let id: ID
  let tenant: Int
  let customer: String
  /// Whose service delivers there.
  let platform: PushMessage.Platform
  /// What that service knows the device by. As good as an address: sealed, never in a log.
  let registration: String
}

extension PushMessage.Platform {
  /// The call does not say whose device it is: tokens of Apple's are nothing but hexadecimal digits, those of Google's
  /// are longer and have other letters, too.
  init(registration: String) {
    self = registration.wholeMatch(of: #/(?:[0-9A-Fa-f]{2}){32,100}/#) == nil ? .google : .apple
  }
}
