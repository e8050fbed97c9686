// SPDX-License-Identifier: Apache-2.0

/// A call of a server: what it takes, what it answers, and where it is.
public protocol WPNEndpoint: Sendable {
  associatedtype RequestData: WPNRequestBase
  associatedtype ResponseData: WPNResponseBase
  /// Gets either an answer or an error.
  typealias Completion = @Sendable (ResponseData?, WPNError?) -> Void

  /// Below the base URL, such as `/api/identity/status`.
  var endpointURLPath: String { get }
  /// With whose keys the call is encrypted.
  var e2ee: WPNE2EEConfiguration { get }
}

extension WPNEndpoint {
  public var e2ee: WPNE2EEConfiguration { .notEncrypted }
}

/// With whose keys a call is encrypted from the app to the server, as networking 1.5 names it. Up to 1.4 each call is
/// given an encryptor instead, which counts before this.
public enum WPNE2EEConfiguration: Sendable, CaseIterable {
  /// Those of the application.
  case applicationScope
  /// Those of the activation.
  case activationScope
  /// It is not.
  case notEncrypted
}

/// A call without a proof.
public struct WPNEndpointBasic<RequestData: WPNRequestBase, ResponseData: WPNResponseBase>: WPNEndpoint {
  public let endpointURLPath: String
  public let e2ee: WPNE2EEConfiguration

  public init(endpointURLPath: String, e2ee: WPNE2EEConfiguration = .notEncrypted) {
    self.endpointURLPath = endpointURLPath
    self.e2ee = e2ee
  }
}

/// A call that is signed.
public struct WPNEndpointSigned<RequestData: WPNRequestBase, ResponseData: WPNResponseBase>: WPNEndpoint {
  public let endpointURLPath: String
  /// What the signature covers in place of the URL.
  public let uriId: String
  public let e2ee: WPNE2EEConfiguration

  public init(endpointURLPath: String, uriId: String, e2ee: WPNE2EEConfiguration = .notEncrypted) {
    self.endpointURLPath = endpointURLPath
    self.uriId = uriId
    self.e2ee = e2ee
  }
}

/// A call that is proved by a token.
public struct WPNEndpointSignedWithToken<RequestData: WPNRequestBase, ResponseData: WPNResponseBase>: WPNEndpoint {
  public let endpointURLPath: String
  /// Of the token on this device.
  public let tokenName: String
  public let e2ee: WPNE2EEConfiguration

  public init(endpointURLPath: String, tokenName: String, e2ee: WPNE2EEConfiguration = .notEncrypted) {
    self.endpointURLPath = endpointURLPath
    self.tokenName = tokenName
    self.e2ee = e2ee
  }
}
