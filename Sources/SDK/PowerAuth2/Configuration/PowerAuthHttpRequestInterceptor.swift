// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Adds a header to every request of an instance before it leaves, say for a proxy in front of a test server
/// (powerauth.md §10). It takes the place of the SDK's `Accept` and `User-Agent`, and of no header that the protocol
/// needs: the type of the body, proofs, keys. Of two interceptors the later one counts.
public protocol PowerAuthHttpRequestInterceptor: Sendable {
  /// The header's name.
  var headerKey: String { get }
  /// The header's value.
  var headerValue: String { get }
}

/// Adds a header of the app's choice.
public final class PowerAuthCustomHeaderRequestInterceptor: PowerAuthHttpRequestInterceptor {
  public let headerKey: String
  public let headerValue: String

  /// - Parameters:
  ///   - headerKey: the header's name.
  ///   - value: the header's value.
  public init(headerKey: String, value: String) {
    self.headerKey = headerKey
    headerValue = value
  }
}

/// Adds a user's name and password (RFC 7617 §2).
public final class PowerAuthBasicHttpAuthenticationRequestInterceptor: PowerAuthHttpRequestInterceptor {
  public let headerKey = "Authorization"
  public let headerValue: String

  /// - Parameter username: without a colon (RFC 7617 §2).
  public init(username: String, password: String) {
    headerValue = "Basic " + Data("\(username):\(password)".utf8).base64EncodedString()
  }
}

// A value may be a secret: it shows in no log.

extension PowerAuthCustomHeaderRequestInterceptor: CustomStringConvertible, CustomReflectable {
  public var description: String { "PowerAuthCustomHeaderRequestInterceptor(\(headerKey))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PowerAuthBasicHttpAuthenticationRequestInterceptor: CustomStringConvertible, CustomReflectable {
  public var description: String { "PowerAuthBasicHttpAuthenticationRequestInterceptor(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
