// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Where the next page begins, in words that only this server reads (finaptic §10.4): sealed, so bound to the method,
/// the caller, the filters and the order; none of them can be another's.
package struct PageTokens: Sendable {
  /// Items of a page (finaptic §4.2): who asks for more gets pages of so many.
  package static let pageMax = 100

  let vault: Vault
  private let context: String

  /// - Parameter parts: everything that the page is a page of: method, caller, filters, order.
  package init(_ vault: Vault, _ parts: String...) {
    self.vault = vault
    context = "finaptic page:" + parts.joined(separator: "\u{1f}")
  }

  package func token(_ position: String) throws -> String {
    try vault.seal(Data(position.utf8), context: context).base64URL
  }

  /// - Parameter member: what the token is called in the request.
  /// - Returns: nil for the first page.
  /// - Throws: `Problem` invalid argument for a token of anything else.
  package func position(_ token: String?, _ member: String = "pageToken") throws -> String? {
    guard let token, !token.isEmpty else { return nil }
    guard let sealed = Data(base64URL: token), let bytes = try? vault.open(sealed, context: context),
      let position = String(bytes: bytes, encoding: .utf8)
    else { throw Problem.finapticFields([.init("/\(member)", "unknown", "This token is not of this list.")]) }
    return position
  }

  /// How many items a page may have.
  /// - Throws: `Problem` invalid argument.
  package static func size(_ asked: Int?) throws -> Int {
    guard let asked, asked >= 1 else {
      throw Problem.finapticFields([.init("/pageSize", "range", "One or more.")])
    }
    return min(asked, pageMax)
  }
}
