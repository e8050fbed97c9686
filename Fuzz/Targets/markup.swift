// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Text of a customer or an agent that may be markup: no tag comes out but those that an app's web view may show.
func fuzz(_ bytes: Data) {
  for keepsLinks in [true, false] {
    var scanner = HTMLScanner(SafeHTML.sanitized(text(bytes), keepsLinks: keepsLinks))
    while let token = scanner.next() {
      guard case .start(let name, let attributes) = token else { continue }
      precondition(!["script", "style", "iframe", "object", "img", "svg", "form", "input"].contains(name))
      precondition(attributes.keys.allSatisfy { $0 == "href" || $0 == "rel" })
      precondition(keepsLinks || name != "a")
    }
  }
}
