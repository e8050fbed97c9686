// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeCore

/// Addresses that are fixed.
public struct SENetConstants {
  /// Where signing in at a bank has to end.
  public static let oauthRedirectUrl = ReturnRedirect.returnURL

  /// Whether signing in has ended: the address is the one above, alone or with a query behind it.
  public static func hasRedirectUrl(_ url: String) -> Bool { ReturnRedirect.isEnd(url, returnURL: oauthRedirectUrl) }
}
