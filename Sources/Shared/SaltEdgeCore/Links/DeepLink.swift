// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a QR code or a tapped link asks the authenticator to do (specification §3).
public enum DeepLink: Hashable, Sendable {
  case connect(ConnectLink)
  case action(ActionLink)

  public static let scheme = "authenticator"
  static let host = "saltedge.com"

  /// Reads a link of either version. As the public apps do it looks at the query alone, not at host or path; a link
  /// that has both is an action.
  /// - Parameters:
  ///   - schemes: in lower case; those that the app has registered.
  ///   - returnSchemes: in lower case; those of other apps that an action may return to. Besides them it may return to
  ///     pages of the web and to the app's own schemes; any other `return_to` is left out.
  /// - Throws: `malformed`.
  public init(
    text: String, schemes: Set<String> = [scheme], returnSchemes: Set<String> = []
  ) throws(SaltEdgeError) {
    let scheme = text.prefix { $0 != ":" }
    guard scheme.endIndex < text.endIndex, schemes.contains(scheme.lowercased()), let query = LinkQuery(of: text) else {
      throw .malformed(.deepLink)
    }
    if let action = ActionLink(query, returnSchemes: schemes.union(returnSchemes)) {
      self = .action(action)
    } else if let configuration = LinkQuery.webURL(query["configuration"]) {
      self = .connect(ConnectLink(configuration: configuration, connectQuery: query["connect_query"]))
    } else {
      throw .malformed(.deepLink)
    }
  }

  /// To be shown as a QR code.
  public var text: String {
    switch self {
    case .connect(let link): link.text
    case .action(let link): link.text
    }
  }
}
