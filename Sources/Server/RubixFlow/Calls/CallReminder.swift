// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Scheduling
import Storage

/// Tells a customer of a call that is near. It is owed when the call is booked, and due an hour before the call; the
/// worker sends it then if the call still stands, so that a call that was moved or called off is not announced.
struct CallReminder: Codable, Sendable {
  static let topic = "rubix.remindOfCall"
  /// That the institution called a call off.
  static let cancelledTopic = "rubix.notifyCallCancelled"
  /// How long before the call it is sent.
  static let ahead = Duration.hours(1)
  /// A call that is nearer when it is booked needs none.
  private static let distanceMin = Duration.hours(2)

  let tenant: String
  /// The id of the appointment.
  let call: String

  /// Owes the reminder of a call that was booked just now.
  static func owe(
    for call: Appointment, of tenant: Tenant, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws {
    guard call.callTime >= core.world.now() + distanceMin else { return }
    try tell(of: call, of: tenant, dueAt: call.callTime - ahead, core, in: tx)
  }

  /// Owes the customer word of a call.
  /// - Parameter dueAt: nil is at once, for a call that the institution booked.
  static func tell(
    of call: Appointment, of tenant: Tenant, dueAt: Instant? = nil, _ core: CoreDependencies,
    in tx: any SQLTransaction
  ) throws {
    let payload = try JSONEncoder().encode(CallReminder(tenant: tenant.id, call: call.id.rawValue))
    try core.outbox.enqueue(
      topic, subject: call.customerID, payload: String(decoding: payload, as: UTF8.self), dueAt: dueAt, in: tx)
  }
}
