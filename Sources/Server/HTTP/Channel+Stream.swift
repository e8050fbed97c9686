// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension Channel {
  /// Whether this is a stream of HTTP/2, which is a channel below that of its connection. Most options of a channel
  /// stop the process there.
  package var isStream: Bool { parent?.parent != nil }
}
