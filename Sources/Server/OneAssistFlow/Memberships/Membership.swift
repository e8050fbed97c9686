// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import Storage

/// One phone's plan, from its purchase to its end.
package struct Membership: Sendable {
  package typealias ID = Identifier<Membership>

  /// The membership's id on the wire, `memUUID`.
  package let id: ID
  package let partner: Partner.ID
  /// Stands for the same person in all of a partner's orders.
  let customer: String
  /// Names the order to the app and to the partner.
  package let orderUUID: String
  let orderNumber: Int64
  /// What the app starts with.
  package let activationCode: String
  /// Names the activation to uploads and to the secure screen.
  package let activityReference: String
  let applicationNumber: String
  let planCode: Int64
  package internal(set) var status: MembershipStatus
  /// First and last day of the cover.
  let startsOn: WireDate
  let endsOn: WireDate
  /// After this the photos are late.
  let documentsUntil: Instant
  /// When a link was first sent and not taken back (§6).
  var linkSentAt: Instant?
  /// What a reviewer has to know.
  package internal(set) var flags: Set<Flag> = []
  /// How often photos were asked for again.
  var reuploads = 0
  /// Photos whose code was another phone's.
  var mismatches = 0
  /// When everything personal is to be forgotten; nil while the membership lives.
  var eraseAfter: Instant?
  let createdAt: Instant
  var version = 0
  /// Sealed in the store; empty once erased.
  package internal(set) var content: Content

  /// What a person has to look at twice.
  package enum Flag: String, Sendable, CaseIterable, Comparable {
    case imeiChanged = "imei-changed"
    case imeiRepaired = "imei-repaired"
    case makeDiffers = "make-differs"
    case blacklisted
    case blacklistUnknown = "blacklist-unknown"
    case codeMismatch = "code-mismatch"
    case screenshotTaken = "screenshot-taken"
    case screenRecorded = "screen-recorded"

    package static func < (one: Flag, other: Flag) -> Bool { one.rawValue < other.rawValue }
  }

  /// What is personal, or as good as.
  package struct Content: Sendable, Codable, Equatable {
    package var firstName = ""
    package var lastName = ""
    package var email = ""
    /// E.164.
    package var mobile = ""
    var gender: String?
    var birthDate: WireDate?
    var relationship: String?
    var productCode = ""
    package var make = ""
    package var model = ""
    var serial: String?
    package var invoiceDate: WireDate?
    /// Whole units of the currency.
    package var invoiceValue: Int64 = 0
    var paymentMode: String?
    package var address: String?
    package var pinCode: String?
    var deviceModel: String?
    package var imei: String?
    package var imei2: String?
    /// The phone's numbers as they were when photos were first asked for again; nil before that, and where it was asked
    /// by a program that did not keep them.
    var reviewedIMEIs: [String]?
    /// Digits of the second phone; the rest of its number is not kept.
    var secondLastFour: String?
    /// Decisions that have a reason, the latest last; nil without any.
    package var decisions: [Decision]?
  }

  /// A verdict with its reason, which is words of a person about a person: the audit has the rest.
  package struct Decision: Sendable, Codable, Equatable {
    /// Milliseconds since 1970.
    package let at: Int64
    package let actor: String
    package let verdict: String
    package let reason: String
  }

  /// Whose key seals what is kept of the membership. Partners are the tenants of keys here: a membership is of one.
  var keySubject: KeySubject {
    KeySubject(id.rawValue, of: TenantID(OneAssistModule.name, partner.rawValue))
  }

  var secondLastFour: String? {
    get { content.secondLastFour }
    set { content.secondLastFour = newValue }
  }
  var isErased: Bool { content.mobile.isEmpty }
  /// The phone that was activated.
  var imei: IMEI? { content.imei.flatMap { IMEI($0) } }
  /// Whether everything that `POST lead` brings is there.
  var hasDetails: Bool { content.imei != nil && content.address != nil && content.pinCode != nil }
  var hasEnded: Bool { status == .rejected || status == .cancelled }
}
