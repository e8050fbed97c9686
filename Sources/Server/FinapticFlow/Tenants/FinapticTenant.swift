// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// An institution whose apps carry our SDK: its users, applications and documents are its own.
package struct FinapticTenant: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable, SQLConvertible { case sandbox, production }

  /// When a second factor is asked for (finaptic §8.1).
  package enum MFA: String, Sendable, CaseIterable, SQLConvertible {
    case never
    /// For stepped-up scopes only.
    case stepUpOnly
    /// At every sign-in.
    case always
  }

  package static let ids = 1...9999

  /// 1 to 9999.
  package let id: Int
  /// For people: named in mail.
  package let name: String
  package let kind: Kind
  package var mfa: MFA
  package let createdAt: Instant

  package init(id: Int, name: String, kind: Kind, mfa: MFA, createdAt: Instant) {
    (self.id, self.name, self.kind, self.mfa, self.createdAt) = (id, name, kind, mfa, createdAt)
  }

  package var isSandbox: Bool { kind == .sandbox }
  /// How sessions, conversations and cases name it.
  package var session: String { Self.session(id) }
  static func session(_ id: Int) -> String { FinapticTenantName(id).description }
}

/// A tenant of this flow as rows of other modules name it: `finaptic-7`.
package struct FinapticTenantName: Hashable, Sendable, LosslessStringConvertible {
  private static let prefix = "finaptic-"

  package let tenant: Int

  package init(_ tenant: Int) { self.tenant = tenant }

  /// Nil for the name of a tenant of another flow, for a number below 1, and for another spelling of a number, such as
  /// `+7` and `07`.
  package init?(_ description: String) {
    guard description.hasPrefix(Self.prefix), let tenant = Int(description.dropFirst(Self.prefix.count)), tenant > 0
    else { return nil }
    self.init(tenant)
    guard self.description == description else { return nil }
  }

  package var description: String { "\(Self.prefix)\(tenant)" }
}

/// What an app of a tenant shows to be one: the public id within its SDK key.
package struct FinapticClientKey: Sendable, Equatable {
  package typealias ID = Identifier<FinapticClientKey>

  package let id: ID
  package let tenant: Int
  /// For people: which app it is for.
  package let name: String
  package let createdAt: Instant
  /// Nil while it counts.
  package let revokedAt: Instant?
}
