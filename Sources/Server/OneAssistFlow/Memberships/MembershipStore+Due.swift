// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import Storage

extension MembershipStore {
  /// Replaces the keyed digests of the IMEIs of a membership.
  func setIMEIs(_ digests: [String], of id: Membership.ID) throws {
    try tx.execute("DELETE FROM oneassist_imei WHERE membership_id = \(id)")
    for digest in Set(digests) {
      try tx.execute("INSERT INTO oneassist_imei (digest, membership_id) VALUES (\(digest), \(id))")
    }
  }

  /// Whether the phone of a membership is on an approved one of another person of the same tenant (§5.3). A number on
  /// one that waits for photos or a review proves nothing: by typing it, anyone could keep its owner from covering it.
  /// - Parameter today: cover that ended before it does not count.
  func isCovered(_ own: Membership, on today: String) throws -> Bool {
    try tx.first(
      """
      SELECT m.id FROM oneassist_imei i JOIN oneassist_membership m ON m.id = i.membership_id
        JOIN oneassist_partner p ON p.id = m.partner_id
      WHERE i.digest IN (SELECT digest FROM oneassist_imei WHERE membership_id = \(own.id)) AND m.id <> \(own.id)
        AND p.tenant = (SELECT tenant FROM oneassist_partner WHERE id = \(own.partner))
        AND m.mobile_digest <> (SELECT mobile_digest FROM oneassist_membership WHERE id = \(own.id))
        AND m.status IN (\(MembershipStatus.queued), \(MembershipStatus.approved))
        AND m.ends_on >= \(today) LIMIT 1
      """) != nil
  }

  /// Memberships in a status whose photos are late.
  func late(_ status: MembershipStatus, before now: Instant, limit: Int) throws -> [Membership.ID] {
    try tx.query(
      """
      SELECT id FROM oneassist_membership WHERE status = \(status) AND documents_until <= \(now)
      ORDER BY updated_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Memberships that wait for a day that has come.
  func starting(by today: String, limit: Int) throws -> [Membership.ID] {
    try tx.query(
      """
      SELECT id FROM oneassist_membership WHERE status = \(MembershipStatus.queued) AND starts_on <= \(today)
      ORDER BY updated_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Memberships whose retention is over.
  func forgettable(at now: Instant, limit: Int) throws -> [Membership.ID] {
    try tx.query(
      "SELECT id FROM oneassist_membership WHERE erase_after <= \(now) ORDER BY erase_after LIMIT \(limit)"
    ).map { try $0.get("id") }
  }

  /// Whether the membership was not forgotten yet, also where what is sealed of it cannot be opened.
  func isKept(_ id: Membership.ID) throws -> Bool {
    try tx.first("SELECT id FROM oneassist_membership WHERE id = \(id) AND application_digest <> ''") != nil
  }

  /// Takes out of the row what finds a person: afterwards no number leads here.
  func forget(_ id: Membership.ID) throws {
    try tx.execute("DELETE FROM oneassist_imei WHERE membership_id = \(id)")
    try tx.execute(
      """
      UPDATE oneassist_membership SET mobile_digest = \("erased \(id)"), application_digest = '' WHERE id = \(id)
      """)
  }
}

extension DuePage<Membership.ID> {
  /// The next items of a query that has no place to go on from: what was done is not due any more, and what failed in
  /// this run is left out.
  /// - Parameter due: what is due, at most so many, always in the same order.
  func items(_ due: (_ limit: Int) throws -> [Membership.ID]) rethrows -> [Membership.ID] {
    let failed = Set(failed)
    return Array(try due(limit + failed.count).filter { !failed.contains($0) }.prefix(limit))
  }
}
