// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Kit
import PowerAuthCore

// What other servers send. Members are in snake case and checked strictly, as in all APIs of our own.

struct InitiateRequest: Decodable, Sendable {
  /// How an activation OTP is asked for.
  enum OTPCheck: String, Decodable, Sendable {
    case onKeyExchange = "ON_KEY_EXCHANGE"
    case onCommit = "ON_COMMIT"

    var check: ActivationOTPCheck {
      switch self {
      case .onKeyExchange: .onKeyExchange
      case .onCommit: .onCommit
      }
    }
  }

  let application_id: String
  let user_id: String
  let validity_seconds: Int?
  let otp: String?
  let otp_check: OTPCheck?
  let auto_commit: Bool?
  let flags: [String]?
  let max_failed_attempts: Int?
  let external_id: String?
}

struct IssueRecoveryRequest: Decodable, Sendable {
  let application_id: String
  let user_id: String
  let puk_count: Int?
}

/// Which lines of a history, `?after=…&limit=…`.
struct HistoryPage: Sendable {
  static let limits = 1...500

  /// The sequence of the last line that is known; 0 for none.
  var after = 0
  var limit = limits.upperBound

  /// - Throws: `Problem` validation-failed for what is no number, or out of range.
  init(after: String?, limit: String?) throws {
    if let after {
      guard let number = Int(after), number >= 0 else {
        throw Problem.validation([.init("/after", "range", "0 or more.")])
      }
      self.after = number
    }
    if let limit {
      guard let number = Int(limit), Self.limits.contains(number) else {
        throw Problem.validation([.init("/limit", "range", "1 to \(Self.limits.upperBound).")])
      }
      self.limit = number
    }
  }
}

struct SearchRequest: Decodable, Sendable {
  let user_id: String
  let application_id: String?
}

struct CommitRequest: Decodable, Sendable {
  let otp: String?
}

struct BlockRequest: Decodable, Sendable {
  let reason: String?
}

struct RemoveRequest: Decodable, Sendable {
  let revoke_recovery_codes: Bool?
}

struct FlagsRequest: Decodable, Sendable {
  let flags: [String]
}

struct VerifySignatureRequest: Decodable, Sendable {
  let method: String
  let uri_id: String
  /// Base64 of the bytes that were signed; absent for none. Of a `GET` it is the canonical query.
  let body: Data?
  /// The value of `X-PowerAuth-Authorization`.
  let header: String
  let signature_types: [String]?
  /// Of `Activation.unverifiedFlags`, those under which the proof is taken.
  let accepted_flags: [String]?
  /// Whether `body` is kept, sealed under the person's key, as evidence of what was signed.
  let keep: Bool?
}

struct VerifyTokenRequest: Decodable, Sendable {
  /// The value of `X-PowerAuth-Token`.
  let header: String
  let signature_types: [String]?
  /// Of `Activation.unverifiedFlags`, those under which the proof is taken.
  let accepted_flags: [String]?
}

struct OfflinePayloadRequest: Decodable, Sendable {
  /// Of one activation, or of every activation of an application.
  let activation_id: String?
  let application_id: String?
  let data: String
}

struct VerifyOfflineRequest: Decodable, Sendable {
  let activation_id: String
  let method: String?
  let uri_id: String?
  /// Base64 of 16 bytes.
  let nonce: Data
  let data: String
  let signature: String
  let signature_types: [String]?
  let component_length: Int?
  let accepted_flags: [String]?
  /// Whether `data` is kept, as of an online signature.
  let keep: Bool?
}

struct VerifyDeviceSignatureRequest: Decodable, Sendable {
  let activation_id: String
  let data: Data
  /// DER.
  let signature: Data
  let accepted_flags: [String]?
}

extension [String] {
  /// Types by their text in a header.
  /// - Throws: `Problem` validation-failed for an unknown word and an empty list.
  func signatureTypes() throws -> [SignatureType] {
    let types = compactMap(SignatureType.init)
    guard types.count == count, !types.isEmpty else {
      let words = SignatureType.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem.validation([.init("/signature_types", "unknown-value", "One or more of \(words).")])
    }
    return types
  }
}
