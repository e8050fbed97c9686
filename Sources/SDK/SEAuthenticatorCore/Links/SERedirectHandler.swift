// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeCore

/// Decides, for every address that the web view of a bank's sign-in page is about to go to, whether signing in has
/// ended, and how (saltedge-authenticator §4.3, §5.3). Without a user interface: `SEWebView` asks it on Apple's
/// systems.
public struct SERedirectHandler: Sendable {
  /// What the web view is to do with a navigation.
  public enum Decision: Sendable, Equatable {
    /// Go there: the page goes on.
    case proceed
    /// Do not go there. In v2 the token is encrypted still.
    case succeeded(accessToken: AccessToken)
    /// Do not go there. The message is the bank's, or its error class, or a word of ours.
    case failed(message: String)
  }

  /// What is said when the bank says nothing.
  public static let unknownFailure = "AuthenticationError"

  /// Where signing in has to end.
  public let returnUrl: String

  public init(returnUrl: String = SENetConstants.oauthRedirectUrl) { self.returnUrl = returnUrl }

  /// - Parameter url: where the page wants to go.
  public func decision(for url: URL) -> Decision {
    let text = url.absoluteString
    guard ReturnRedirect.isEnd(text, returnURL: returnUrl) else { return .proceed }
    switch try? ReturnRedirect(url: text, returnURL: returnUrl) {
    case .authenticated(let token, _): return .succeeded(accessToken: token)
    case .failed(let errorClass, let message): return .failed(message: message ?? errorClass ?? Self.unknownFailure)
    // Too long to be read.
    case nil: return .failed(message: Self.unknownFailure)
    }
  }

  /// Whether a failed navigation says nothing: WebKit reports code 102 when we cancelled a redirect.
  public static func isCancelledRedirect(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == "WebKitErrorDomain" && error.code == 102
  }
}
