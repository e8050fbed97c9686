// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a QR code or a tapped link says to the authenticator, and where its browser ends.
func fuzz(_ bytes: Data) {
  let link = text(bytes)
  if let read = try? DeepLink(text: link) { precondition((try? DeepLink(text: read.text)) == read) }
  if let redirect = try? ReturnRedirect(url: link) {
    precondition(ReturnRedirect.isEnd(link, returnURL: ReturnRedirect.returnURL))
    _ = redirect.url(returnURL: ReturnRedirect.returnURL)
  }
}
