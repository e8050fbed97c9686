// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SaltEdgeCore

/// Reads QR codes and deep links (saltedge-authenticator §3). Only the query counts, neither scheme nor path: an app
/// may have registered a scheme of its own. A value is percent-decoded once, and `+` is a plus.
public struct SEConnectHelper {
  /// Whether it asks to connect to a bank, or to submit an action.
  public static func isValid(deepLinkUrl: URL) -> Bool {
    configuration(from: deepLinkUrl) != nil || isValidAction(deepLinkUrl: deepLinkUrl)
  }

  /// Whether it names an action and how to find its bank: in v2 by `provider_id`, else by `connect_url`.
  public static func isValidAction(deepLinkUrl: URL) -> Bool {
    LinkQuery(of: deepLinkUrl.absoluteString).flatMap { ActionLink($0, returnSchemes: []) } != nil
  }

  /// Where to go when the action is done: a page of the web, or an app by a scheme that this app has registered or that
  /// `SEAuthenticatorPlatform.returnSchemes` names; nil for any other address.
  public static func returnToUrl(from url: URL) -> URL? {
    LinkQuery.openableURL(
      item(SENetKeys.returnTo, of: url), schemes: SEAuthenticatorPlatform.current.openableSchemes)
  }

  /// The bank of an action of v1.
  public static func connectUrl(from url: URL) -> URL? { LinkQuery.webURL(item(SENetKeys.connectUrl, of: url)) }

  /// `1` or `2`: of an action as the link says, of a connection as the address of the configuration says, else `1`.
  /// nil when the link is neither.
  public static func apiVersion(from url: URL) -> String? {
    if let version = item(SENetKeys.apiVersion, of: url) { return version }
    if let configuration = configuration(from: url) { return configuration.absoluteString.apiVerion }
    return isValidAction(deepLinkUrl: url) ? "1" : nil
  }

  /// The action, in v2.
  public static func actionId(from url: URL) -> String? { item(SENetKeys.actionId, of: url) }

  /// The bank of an action, in v2.
  public static func providerId(from url: URL) -> String? { item(SENetKeys.providerId, of: url) }

  /// The action, in v1.
  public static func actionGuid(from url: URL) -> String? { item(SENetKeys.actionUuid, of: url) }

  /// Where the bank describes itself.
  public static func configuration(from url: URL) -> URL? { LinkQuery.webURL(item(SENetKeys.configuration, of: url)) }

  /// The same, spelled as published: its first letter is the Cyrillic U+0441.
  public static func сonfiguration(from url: URL) -> URL? { configuration(from: url) }

  /// What tells the bank who is connecting.
  public static func connectQuery(from url: URL) -> String? { item(SENetKeys.connectQuery, of: url) }

  /// Whether an action and its bank are both named, in the manner of either version.
  public static func shouldStartInstantActionFlow(url: URL) -> Bool {
    (actionGuid(from: url) != nil && connectUrl(from: url) != nil)
      || (actionId(from: url) != nil && providerId(from: url) != nil)
  }

  private static func item(_ name: String, of url: URL) -> String? { url.queryItem(for: name) }
}
