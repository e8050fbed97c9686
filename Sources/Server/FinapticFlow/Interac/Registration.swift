// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// An alias whose money goes to an account by itself (finaptic §8.8).
struct Registration: Sendable, Equatable {
  typealias ID = Identifier<Registration>

  let id: ID
  let tenant: Int
  /// Who made it: the only one to change or end it.
  let customer: String
  var account: String
  let alias: InteracAlias
  /// Nil until the alias's holder said that it is theirs; money is sent on only then.
  var confirmedAt: Instant?
  /// Until when they can say so.
  let confirmUntil: Instant
  var expiresAt: Instant
  /// Nil until its holder was told that it ends soon.
  var noticedAt: Instant?
  let createdAt: Instant
  let version: Int

  /// Whether it ended, or was not confirmed in time: then it is as if it were not there, whether or not the worker has
  /// seen it.
  func isLapsed(at now: Instant) -> Bool { expiresAt <= now || (confirmedAt == nil && confirmUntil <= now) }

  var view: FinapticAPI.Registration {
    var view = FinapticAPI.Registration(
      registrationId: id.rawValue, expiryDate: .init(millisecondsSince1970: expiresAt.milliseconds),
      accountId: account)
    switch alias {
    case .email(let address): view.aliasEmail = address
    case .phone(let number): view.aliasPhoneNumber = .init(phoneNumber: number)
    }
    return view
  }

  /// Within which an alias is one registration's: production is one network, each sandbox is one of its own.
  static func network(of tenant: FinapticTenant) -> String {
    tenant.isSandbox ? "sandbox-\(tenant.id)" : "production"
  }
}
