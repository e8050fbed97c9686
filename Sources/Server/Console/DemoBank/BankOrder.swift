// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Something that the demonstration bank had a customer confirm with the Authenticator.
package struct BankOrder: Sendable {
  package typealias ID = Identifier<BankOrder>

  enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    /// Signing in by scanning a code: picking it up is all it takes.
    case signIn
    case payment
  }

  enum State: String, Sendable, CaseIterable, SQLConvertible {
    /// Not known yet whether the service has it.
    case draft
    case waiting
    case confirmed, denied, expired
    /// A sign-in that was made use of.
    case used
  }

  struct Payment: Codable, Sendable, Equatable {
    let payee: String
    /// IBAN, without spaces.
    let account: String
    /// Decimal, with a point.
    let amount: String
    let currency: String
    var reference: String?
  }

  /// How it can be picked up where no customer is named.
  struct Links: Codable, Sendable, Equatable {
    let v1: String
    let v2: String
  }

  /// What is sealed.
  struct Content: Codable, Sendable, Equatable {
    var payment: Payment?
    var links: Links?
  }

  let id: ID
  let kind: Kind
  /// The browser that it was begun in, by digest of its cookie.
  let browser: String
  /// Nil until its code was picked up.
  var customer: String?
  var state: State
  /// The service's id for it; nil while it is a draft.
  var authorization: String?
  var content: Content
  /// On how many devices it was shown at once.
  var devices = 0
  let createdAt: Instant
  var expiresAt: Instant

  var isOpen: Bool { state == .draft || state == .waiting }
}
