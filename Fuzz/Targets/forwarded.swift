// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes

/// A field with the client's address. What a client writes into it never becomes the address when a proxy appends one.
func fuzz(_ bytes: Data) {
  for (header, entry) in [(ForwardedHeader.xForwardedFor, "192.0.2.7"), (.forwarded, "for=192.0.2.7")] {
    let alone = ForwardedAddress.of(HTTPFields(lines: [text(bytes)]), header: header)
    precondition(alone == ClientNetwork.unknown || alone.flatMap { IPAddress($0)?.description } == alone)
    let behind = ForwardedAddress.of(HTTPFields(lines: [text(bytes) + ", " + entry]), header: header)
    // Only in Forwarded may a comma stand in a quoted string, which a client can leave open.
    precondition(behind == "192.0.2.7" || header == .forwarded && behind == ClientNetwork.unknown)
  }
}
