// SPDX-License-Identifier: Apache-2.0

/// A call of a server: what it takes, what it answers, and where it is.
public protocol WPNEndpoint: Sendable {
  associatedtype RequestData: WPNRequestBase
  associatedtype ResponseData: WPNResponseBase
  /// Gets either an answer or an error.
  typealias Completion = @Sendable (ResponseData?, WPNError?) -> Void

  /// Below the base URL, such as `/api/identity/status`.
  var endpointURLPath: String { get }
}

/// A call without a proof.
public struct WPNEndpointBasic<RequestData: WPNRequestBase, ResponseData: WPNResponseBase>: WPNEndpoint {
  public let endpointURLPath: String

  public init(endpointURLPath: String) { self.endpointURLPath = endpointURLPath }
}

/// A call that is signed.
public struct WPNEndpointSigned<RequestData: WPNRequestBase, ResponseData: WPNResponseBase>: WPNEndpoint {
  public let endpointURLPath: String
  /// What the signature covers in place of the URL.
  public let uriId: String

  public init(endpointURLPath: String, uriId: String) {
    self.endpointURLPath = endpointURLPath
    self.uriId = uriId
  }
}

/// A call that is proved by a token.
public struct WPNEndpointSignedWithToken<RequestData: WPNRequestBase, ResponseData: WPNResponseBase>: WPNEndpoint {
  public let endpointURLPath: String
  /// Of the token on this device.
  public let tokenName: String

  public init(endpointURLPath: String, tokenName: String) {
    self.endpointURLPath = endpointURLPath
    self.tokenName = tokenName
  }
}
