// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import SaltEdgeCore
package import SaltEdgeWire

/// What follows from a service's answer to a device that wants to connect, and from where the bank's page led: pure
/// decisions (specification §4.2, §4.3, §5.2, §5.3).
package enum EnrolmentStep: Sendable, Equatable, Redacted {
  /// - Parameters:
  ///   - accessToken: in v2 encrypted for the device.
  ///   - connectionID: when the redirect names it.
  case signedIn(accessToken: String, connectionID: String?)
  case refused(errorClass: String?, message: String?)
  /// The user has to sign in there.
  case page(URL)

  /// In this order: a token; an address that is the end already; a page. Nil when all are missing.
  package init?(_ answer: SaltEdgeV1.Connected, returnURL: String) {
    if let token = answer.accessToken, !token.isEmpty {
      self = .signedIn(accessToken: token, connectionID: nil)
    } else if let url = answer.connectURL, let step = Self(address: url, returnURL: returnURL) {
      self = step
    } else {
      return nil
    }
  }

  /// An address that is the end already, or a page.
  package init?(_ answer: SaltEdgeV2.Connected, returnURL: String) {
    self.init(address: answer.authenticationURL, returnURL: returnURL)
  }

  /// Where a page led.
  package init?(end url: String, returnURL: String) {
    guard let redirect = try? ReturnRedirect(url: url, returnURL: returnURL) else { return nil }
    switch redirect {
    case .authenticated(let token, let id): self = .signedIn(accessToken: token, connectionID: id)
    case .failed(let errorClass, let message): self = .refused(errorClass: errorClass, message: message)
    }
  }

  private init?(address: String, returnURL: String) {
    if ReturnRedirect.isEnd(address, returnURL: returnURL) {
      self.init(end: address, returnURL: returnURL)
    } else if let url = URL(string: address), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host()?.isEmpty == false
    {
      self = .page(url)
    } else {
      return nil
    }
  }

  /// What a refusal is to the app: the message, else the class, else a word of ours (§4.3).
  package static func error(errorClass: String?, message: String?) -> AuthenticatorError {
    AuthenticatorError(
      .authentication, errorClass.map { SaltEdge.ErrorClass(rawValue: $0) } ?? .authentication,
      message: message.map(PlainText.line))
  }
}
