// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SaltEdgeCore

/// Shows the bank's page where the user signs in: the app's web view.
public struct SignInPage: Sendable {
  /// Shows the page until it ends.
  /// - Returns: the address of the end, nil when the user left the page.
  public typealias Show = @Sendable (_ page: SignInRequest) async -> String?

  package let show: Show

  /// - Parameter show: loads `page.url` without cookies of earlier sign-ins; asks `page.decision(on:)` about every
  ///   navigation before it happens.
  public init(show: @escaping Show) { self.show = show }
}

/// A page to be shown, and what is to be done as it moves on.
public struct SignInRequest: Sendable, Redacted {
  /// One that no bank asked for: for specimens of screens.
  package init(specimen url: URL) { self.init(url: url, returnURL: ReturnRedirect.returnURL) }

  init(url: URL, returnURL: String) { (self.url, self.returnURL) = (url, returnURL) }

  /// What to do about a navigation.
  public enum Decision: Sendable, Equatable {
    case load
    /// Cancel it, close the page, and give back its address.
    case end
  }

  /// To be loaded first.
  public let url: URL
  let returnURL: String

  /// Whether a page has ended (§4.3).
  public func decision(on address: String) -> Decision {
    ReturnRedirect.isEnd(address, returnURL: returnURL) ? .end : .load
  }

  /// Whether an error that the web view tells can be ignored: WebKit complains that it cannot open the end's scheme.
  public static func isHarmless(errorDomain: String, code: Int) -> Bool {
    errorDomain == "WebKitErrorDomain" && code == 102
  }
}
