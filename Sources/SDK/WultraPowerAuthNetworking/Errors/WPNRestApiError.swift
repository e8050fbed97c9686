// SPDX-License-Identifier: Apache-2.0

/// Why a server refused.
public struct WPNRestApiError: Codable, Sendable, Hashable {
  /// Such as `ONBOARDING_FAILED`; any, a newer server knows more of them.
  public let code: String
  /// For developers; no text for people.
  public let message: String

  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  private enum CodingKeys: CodingKey {
    case code, message
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(String.self, forKey: .code)
    message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
  }

  /// Whether the code has the form of one: capitals, digits and underscores, at most 64.
  var hasCode: Bool { code.wholeMatch(of: /[A-Z0-9_]{1,64}/) != nil }

  /// The code, if this version knows it.
  public var errorCode: WPNKnownRestApiError? { WPNKnownRestApiError(rawValue: code) }
}
