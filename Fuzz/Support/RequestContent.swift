// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// A request's bytes as the readers of forms take them, without the server that reads them from the network.
package struct RequestContent {
  let bytes: Data
  let mediaType: String?
  let contentType: String?

  init(bytes: Data, contentType: String) {
    (self.bytes, self.contentType) = (bytes, contentType)
    mediaType = contentType.split(separator: ";").first.map { $0.lowercased() }
  }
}

extension Problem {
  static let unsupportedMedia = Problem(.unsupportedMedia, "unsupported-media", "This media type is not accepted here.")
}
