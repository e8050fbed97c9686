// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore

extension Problem {
  /// A refusal in OneAssist's words: the code as its wire has it (oneassist §5.3, §6, §8.2).
  static func oneAssist(_ category: Category, _ code: String, _ detail: String) -> Problem {
    Problem(category, code, detail)
  }

  /// The token is missing, unknown or over: the app needs a new one (§2.3, rule 5).
  static let tokenOver = oneAssist(.unauthenticated, "AUTH_005", "The token is no longer valid.")

  /// No order of the caller's has this name: the error of the SDK's first call (§2.3), as its document words it.
  static let orderUnknown = oneAssist(.notFound, "3001", "Unable to get membership detail")

  /// The call is not one of the present status (§4.4).
  static let statusChanged = oneAssist(
    .conflict, "MEMBERSHIP_STATUS_CHANGED", "The membership's status does not allow this call.")

  /// The phone is on an approved membership of another person (§5.3). Apps and reviewers read it, each in their words.
  static let alreadyCovered = Problem(
    .conflict, "imei-already-covered", "This phone is covered by another membership.")

  /// The link was replaced by a newer one, or its time is over (§6).
  static let linkOver = oneAssist(.gone, "LINK_EXPIRED", "This link is no longer valid. Ask for a new one in the app.")

  /// What is wrong with one member of a request.
  static func member(_ pointer: String, _ code: String, _ message: String) -> Problem {
    .validation([.init(pointer, code, message)])
  }

  /// Says beside the problem where the membership stands (§8.2).
  func withStatus(_ status: MembershipStatus) -> Problem { with { $0.lastStep = status.rawValue } }
}
