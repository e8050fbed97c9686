// SPDX-License-Identifier: Apache-2.0

/// Why a call failed, in a word. Open: modules that build on this one add theirs.
public struct WPNErrorReason: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The call needs an activation.
  public static let missingActivation = WPNErrorReason(rawValue: "missingActivation")
  public static let unknown = WPNErrorReason(rawValue: "unknown")
  /// The operation was cancelled.
  public static let canceled = WPNErrorReason(rawValue: "canceled")

  public static let network_unknown = WPNErrorReason(rawValue: "network_unknown")
  /// The server refused, or something on the way failed that has no reason of its own.
  public static let network_generic = WPNErrorReason(rawValue: "network_generic")
  /// The answer does not make sense.
  public static let network_invalidResponseObject = WPNErrorReason(rawValue: "network_invalidResponseObject")
  /// The request could not be put together.
  public static let network_invalidRequestObject = WPNErrorReason(rawValue: "network_invalidRequestObject")
  /// The request could not be signed.
  public static let network_signError = WPNErrorReason(rawValue: "network_signError")
  public static let network_timeOut = WPNErrorReason(rawValue: "network_timeOut")
  public static let network_noInternetConnection = WPNErrorReason(rawValue: "network_noInternetConnection")
  /// What came is no answer of HTTP.
  public static let network_badServerResponse = WPNErrorReason(rawValue: "network_badServerResponse")
  /// The server is not trusted. The value is spelled as it was published.
  public static let network_sslError = WPNErrorReason(rawValue: "network_sslErrror")
  /// The server refused without a word.
  public static let network_errorStatusCode = WPNErrorReason(rawValue: "network_errorStatusCode")
}
