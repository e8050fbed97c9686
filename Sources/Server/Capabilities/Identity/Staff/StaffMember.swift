// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// A person who works at an institution: an agent, a compliance officer, an administrator.
package struct StaffMember: Sendable, Equatable {
  package typealias ID = Identifier<StaffMember>

  /// As customers may ask for it when they book a call (Rubix §6.13).
  package enum Gender: String, Sendable, SQLConvertible, CaseIterable {
    case female = "F"
    case male = "M"
  }

  package let id: ID
  package let tenant: String
  package let email: String
  package let name: String
  package let gender: Gender
  /// BCP 47 language codes, in the order of preference.
  package let languages: [String]
  package let permissions: Set<StaffPermission>
  /// One who is not cannot sign in and takes no appointments.
  package let isActive: Bool
  package let createdAt: Instant

  /// How audit lines name this member.
  package var actor: String { "\(Self.actorPrefix)\(id)" }

  static let actorPrefix = "agent:"

  /// The member whom audit lines name so; nil for others than members of staff.
  static func id(ofActor actor: String) -> ID? {
    actor.hasPrefix(actorPrefix) ? ID(rawValue: String(actor.dropFirst(actorPrefix.count))) : nil
  }
}

/// Something a staff member may do, `verb:object`. Open: every flow names its own.
package struct StaffPermission: RawRepresentable, Hashable, Sendable, Comparable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let attendVideo = StaffPermission(rawValue: "attend:video")
  package static let decideAML = StaffPermission(rawValue: "decide:aml")
  package static let readCustomers = StaffPermission(rawValue: "read:customers")
  /// Answer customers in conversations.
  package static let chatCustomers = StaffPermission(rawValue: "chat:customers")
  /// Book money on customers' accounts.
  package static let postMoney = StaffPermission(rawValue: "post:money")
  /// Agree, as the second person, to what moves money or lets it move.
  package static let approveMoney = StaffPermission(rawValue: "approve:money")
  /// Agree, as the second person, to the verdicts of calls.
  package static let approveVerdicts = StaffPermission(rawValue: "approve:verdicts")
  /// Block users and cards of Finaptic and freeze accounts, and let them in again.
  package static let blockUsers = StaffPermission(rawValue: "block:users")
  /// Change Finaptic's tenants, their documents, and what accounts cost and bring.
  package static let manageTenants = StaffPermission(rawValue: "manage:tenants")
  package static let manageStaff = StaffPermission(rawValue: "manage:staff")

  package static func < (one: StaffPermission, other: StaffPermission) -> Bool { one.rawValue < other.rawValue }

  /// Two lower-case words of letters, digits and hyphens, and a colon between them.
  var isWellFormed: Bool {
    let words = rawValue.split(separator: ":", omittingEmptySubsequences: false)
    return words.count == 2 && rawValue.utf8.count <= 64
      && words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
      }
  }
}

/// What is needed to add a staff member.
package struct NewStaffMember: Sendable {
  package let tenant: String
  package let email: String
  package let name: String
  package let gender: StaffMember.Gender
  package let languages: [String]
  package let permissions: Set<StaffPermission>
  package let password: String

  package init(
    tenant: String, email: String, name: String, gender: StaffMember.Gender, languages: [String],
    permissions: Set<StaffPermission>, password: String
  ) {
    self.tenant = tenant
    self.email = email
    self.name = name
    self.gender = gender
    self.languages = languages
    self.permissions = permissions
    self.password = password
  }
}

/// How a sign-in ended. The same answer for an unknown address, a wrong password and a member who is not active.
package enum StaffAuthentication<Entry: Sendable>: Sendable {
  /// With what was made of it in the transaction that admitted the member.
  case accepted(Entry)
  case refused
  /// Too many wrong tries for this address or member; nothing was compared.
  case locked(retryAfter: Duration)
}

extension StaffAuthentication: Equatable where Entry: Equatable {}
