// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdTesting
import PowerAuthCore

/// An answer of the router.
struct Answer: Sendable {
  let status: Int
  let headers: HTTPFields
  let body: Data

  init(_ response: TestResponse) {
    status = response.status.code
    headers = response.headers
    body = Data(response.body.readableBytesView)
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try JSONDecoder().decode(type, from: body)
  }

  /// What is in `{"status": "OK", "responseObject": …}`.
  func object<Content: Decodable>(_ type: Content.Type) throws -> Content {
    guard status == 200 else { throw NotWell(answer: text) }
    let envelope = try decode(ResponseEnvelope<Content>.self)
    guard envelope.status == .ok else { throw NotWell(answer: text) }
    return envelope.responseObject
  }

  struct NotWell: Error { let answer: String }

  /// `HTTP status, code, message` of a refusal in PowerAuth's form; else the answer itself.
  var refusal: String {
    guard let envelope = try? decode(ResponseEnvelope<PowerAuthFailure>.self), envelope.status == .error else {
      return "\(status) \(text)"
    }
    return "\(status) \(envelope.responseObject.code) \(envelope.responseObject.message)"
  }

  var json: JSONValue? { try? decode(JSONValue.self) }
}

/// The protocol's refusals (powerauth.md §8).
enum Refusal {
  static let signature = "401 ERR_AUTHENTICATION POWER_AUTH_SIGNATURE_INVALID"
  static let type = "401 ERR_AUTHENTICATION POWER_AUTH_SIGNATURE_TYPE_INVALID"
  static let token = "401 ERR_AUTHENTICATION POWER_AUTH_TOKEN_INVALID"
  static let missing = "401 ERR_AUTHENTICATION POWER_AUTH_HTTP_HEADER_MISSING"
  static let encryption = "400 ERR_ENCRYPTION POWER_AUTH_ENCRYPTION_FAILED"
  static let activation = "400 ERR_ACTIVATION POWER_AUTH_ACTIVATION_INVALID"
  static let key = "400 ERR_TEMPORARY_KEY POWER_AUTH_TEMPORARY_KEY_FAILURE"
  static let recovery = "400 ERR_RECOVERY POWER_AUTH_RECOVERY_INVALID"
}
