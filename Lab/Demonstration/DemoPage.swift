// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import GatehouseApp

/// A page of the demonstration bank as a browser got it; only what a person who looks at it can read.
struct DemoPage: Sendable {
  /// Of the address that was loaded at last, without a query.
  let path: String
  let status: Int
  let html: String
  /// Where the answer leads, when that is no page.
  let location: String?

  /// The picture of the code that the page shows, a PNG.
  var picture: Data? {
    html.firstMatch(of: #/<img src="data:image/png;base64,([^"]+)"/#)
      .flatMap { Data(base64Encoded: Self.unescaped($0.1)) }
  }

  /// The code that the page shows, read from its picture.
  func scanned() throws -> String? { try picture.flatMap { try QRCode.text(in: $0) } }

  /// The link that opens the app on the same phone.
  var link: String? { html.firstMatch(of: #/href="(authenticator:[^"]+)"/#).map { Self.unescaped($0.1) } }

  var title: String? { html.firstMatch(of: #/<h1>([^<]*)</#).map { Self.unescaped($0.1) } }

  /// Nil when it is another page than an order's.
  var orderPath: String? { path.hasPrefix("/demo-bank/orders/") ? path : nil }

  /// How an order stands.
  var state: String? { html.firstMatch(of: #/<p class="state">([^<]*)</#).map { Self.unescaped($0.1) } }

  /// Phones that are listed.
  var phones: Int { html.matches(of: #/action="\/demo-bank\/devices\/[^"]+\/revoke"/#).count }

  /// Where the forms of the page go, in their order.
  var actions: [String] { html.matches(of: #/<form method="post" action="([^"]+)"/#).map { Self.unescaped($0.1) } }

  /// What the form with this action carries unseen; nil without one.
  func hidden(_ action: String) -> [String: String]? {
    guard let start = html.range(of: #"<form method="post" action="\#(action)""#)?.upperBound,
      let end = html.range(of: "</form>", range: start..<html.endIndex)?.lowerBound
    else { return nil }
    let fields = html[start..<end].matches(of: #/<input type="hidden" name="([^"]+)" value="([^"]*)"/#)
    return Dictionary(fields.map { (String($0.1), Self.unescaped($0.2)) }) { one, _ in one }
  }

  private static func unescaped(_ text: Substring) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x2F;", "/"), ("&#x3D;", "="), ("&amp;", "&")]
      .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}
