// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Asks to submit an action that was started elsewhere: on a sign-in page, on a payment page.
public struct ActionLink: Hashable, Sendable {
  /// Which action, and how its bank is found among the connections.
  public enum Target: Hashable, Sendable {
    /// v1: connections whose address is `connectURL`.
    case v1(actionUUID: String, connectURL: URL)
    /// v2: connections to the provider.
    case v2(actionID: String, providerID: String)
  }

  public let target: Target
  /// Where to go when it is done; nil to stay.
  public let returnTo: URL?

  public init(_ target: Target, returnTo: URL? = nil) {
    (self.target, self.returnTo) = (target, returnTo)
  }

  /// - Parameter returnSchemes: in lower case; those of apps that the action may return to. Pages of the web may be.
  /// - Returns: nil when the query names no action. Any other address to return to is left out.
  package init?(_ query: LinkQuery, returnSchemes: Set<String>) {
    if query["api_version"] == "2" {
      guard let action = query["action_id"], let provider = query["provider_id"] else { return nil }
      target = .v2(actionID: action, providerID: provider)
    } else {
      guard let action = query["action_uuid"], let connectURL = LinkQuery.webURL(query["connect_url"]) else {
        return nil
      }
      target = .v1(actionUUID: action, connectURL: connectURL)
    }
    returnTo = LinkQuery.openableURL(query["return_to"], schemes: returnSchemes)
  }

  public var apiVersion: Int {
    switch target {
    case .v1: 1
    case .v2: 2
    }
  }

  public var text: String {
    let query =
      switch target {
      case .v1(let action, let connectURL):
        LinkQuery.text([
          ("action_uuid", action), ("connect_url", connectURL.absoluteString), ("return_to", returnTo?.absoluteString),
        ])
      case .v2(let action, let provider):
        LinkQuery.text([
          ("api_version", "2"), ("action_id", action), ("provider_id", provider),
          ("return_to", returnTo?.absoluteString),
        ])
      }
    return "\(DeepLink.scheme)://\(DeepLink.host)/action?\(query)"
  }
}
