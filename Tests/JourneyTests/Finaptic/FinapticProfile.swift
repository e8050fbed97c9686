// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import TestSupport
import Testing

/// A profile of the sandbox, from any `finaptic-test-profiles*.json` in the folder of the specification.
struct FinapticProfile: Decodable, Sendable, CustomTestStringConvertible {
  struct Names: Decodable, Sendable {
    var firstName: String?
    var middleName: String?
    var lastName: String?
  }

  struct Birth: Decodable, Sendable {
    let yearsBeforeToday: Int
    let plusDays: Int
  }

  struct Input: Decodable, Sendable {
    var firstName: String?
    var middleName: String?
    var lastName: String?
    var profile: Names?
    var dateOfBirth: Birth?
    var address: Finaptic.Address?
    var email: String?
    var username: String?
    var password: String?

    enum CodingKeys: String, CodingKey {
      case firstName, middleName, lastName, profile, dateOfBirth, address, email, username, password
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func text(_ key: CodingKeys) throws -> String? { try values.decodeIfPresent(String.self, forKey: key) }
      (firstName, middleName, lastName) = (try text(.firstName), try text(.middleName), try text(.lastName))
      (email, username, password) = (try text(.email), try text(.username), try text(.password))
      profile = try values.decodeIfPresent(Names.self, forKey: .profile)
      dateOfBirth = try values.decodeIfPresent(Birth.self, forKey: .dateOfBirth)
      guard var members = try values.decodeIfPresent([String: String?].self, forKey: .address) else { return }
      // A member that the SDK's type requires and the profile leaves out is sent empty, as an app would.
      for name in ["type", "line1", "area", "postalCode", "country"] where (members[name] ?? nil) == nil {
        members[name] = ""
      }
      address = try JSONDecoder().decode(Finaptic.Address.self, from: JSONEncoder().encode(members))
    }

    var names: Names { profile ?? Names(firstName: firstName, middleName: middleName, lastName: lastName) }
  }

  struct Outcome: Decodable, Sendable {
    var status: String?
    var failureStatusCodes: [String]?
    var retryConsumed: Bool?
    var final: Bool?
    var remainingAllowedRetries: Int?
  }

  struct Expectation: Decodable, Sendable {
    var validateDocuments: Outcome?
    var validateSelfie: Outcome?
    var secondOfDocumentsAndSelfie: Outcome?
    var validateApplication: Outcome?
    var requestStatus: String?
    var status: String?
    var error: String?
    var fieldViolation: String?
    var success: Bool?
  }

  struct Step: Decodable, Sendable {
    let call: String
    var status: String?
    var remainingAllowedRetries: Int?
    var failureStatusCodes: [String]?
    var expectError: String?
    var updatePersonalDetailsTo: Names?
  }

  let id: String
  let category: String
  let input: Input
  var expect: Expectation?
  var steps: [Step]?

  var testDescription: String { id }

  static let files = SpecificationFolder.finapticProfiles

  /// A profile of a category that this file does not know is left to others, whatever it holds.
  private struct File: Decodable {
    struct Entry: Decodable {
      let profile: FinapticProfile?

      init(from decoder: any Decoder) throws { profile = try? FinapticProfile(from: decoder) }
    }

    let profiles: [Entry]
  }

  static let all: [FinapticProfile] = files.flatMap { file -> [FinapticProfile] in
    guard let data = try? Data(contentsOf: file), let read = try? JSONDecoder().decode(File.self, from: data) else {
      return []
    }
    return read.profiles.compactMap(\.profile)
  }

  static func of(_ category: String) -> [FinapticProfile] { all.filter { $0.category == category } }

  /// How many of a category the files hold, whether this type reads them or not.
  /// - Throws: when a file cannot be read: what is not played must not count as passed.
  static func count(_ category: String) throws -> Int {
    struct Bare: Decodable {
      struct Entry: Decodable { let category: String }
      let profiles: [Entry]
    }
    return try files.reduce(0) { sum, file in
      let read = try JSONDecoder().decode(Bare.self, from: Data(contentsOf: file))
      return sum + read.profiles.count { $0.category == category }
    }
  }
}

extension FinapticErrorCode {
  /// The name of the code in Swift, as profiles write it.
  var word: String { "\(self)" }
}
