// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the bank's sign-in page ends: a redirect to the address that the device gave (specification §4.3, §5.3).
public enum ReturnRedirect: Hashable, Sendable, Redacted {
  /// - Parameters:
  ///   - accessToken: in v2 encrypted, see `EncryptedAccessToken`.
  ///   - connectionID: in v1 only, and not from everybody.
  case authenticated(accessToken: String, connectionID: String?)
  case failed(errorClass: String?, message: String?)

  /// The address that both public apps give.
  public static let returnURL = "authenticator://oauth/redirect"

  /// Whether the page has ended: the address is the one given, or it with a query. An address that merely starts
  /// with the same letters, of another host, does not count.
  public static func isEnd(_ url: String, returnURL: String) -> Bool {
    guard !returnURL.isEmpty, url.utf8.starts(with: returnURL.utf8) else { return false }
    guard let next = url.utf8.dropFirst(returnURL.utf8.count).first else { return true }
    return "/?&#".utf8.contains(next)
  }

  /// - Throws: `malformed` for an address that is not an end; `tooLong`.
  public init(url: String, returnURL: String = returnURL) throws(SaltEdgeError) {
    guard Self.isEnd(url, returnURL: returnURL) else { throw .malformed(.redirect) }
    guard let query = LinkQuery(of: url) else { throw .tooLong(.redirect) }
    if let token = query["access_token"] {
      self = .authenticated(accessToken: token, connectionID: query["id"])
    } else {
      self = .failed(errorClass: query["error_class"], message: query["error_message"])
    }
  }

  /// The address to redirect to. A query that the device's address has already is kept.
  public func url(returnURL: String) -> String {
    let query =
      switch self {
      case .authenticated(let token, let id): LinkQuery.text([("id", id), ("access_token", token)])
      case .failed(let errorClass, let message):
        LinkQuery.text([("error_class", errorClass), ("error_message", message)])
      }
    return "\(returnURL)\(returnURL.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(query)"
  }
}
