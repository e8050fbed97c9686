// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

extension Screening {
  /// By which rules names were compared: with the subject and the versions of the lists, all that it takes to make a
  /// search again.
  package struct Matcher: Sendable, Hashable, Codable {
    /// Goes up with every change of the code that may change a score or the reasons for it.
    package static let currentVersion = "17"

    /// Of the code that compared.
    package let version: String
    /// Every threshold and weight: a JSON object with its members in order, as `MatchingPolicy.init(_: Data)` reads it.
    package let policy: String

    /// What compares by a policy now.
    package init(_ policy: MatchingPolicy) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      version = Self.currentVersion
      self.policy = String(decoding: try encoder.encode(policy), as: UTF8.self)
    }

    /// Names the policy in little room: SHA-256 of its text, in hexadecimal digits.
    package var policyDigest: String { SHA256.hash(data: Data(policy.utf8)).hex }
  }
}
