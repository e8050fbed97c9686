// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit
import Logging
import NIOCore

/// What is known of every request before anybody has proved who they are.
package struct PublicContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// Names this request in answers, logs and audit lines; a UUID.
  package var correlationID: String
  /// Address of the peer, or what a trusted proxy says of it. Nil in tests without a socket.
  package var clientAddress: String? {
    get { told ?? peer?.ipAddress }
    set { told = .some(newValue) }
  }
  /// Whether the request came on a stream of HTTP/2.
  package var isStream: Bool { channel.isStream }
  package let channel: any Channel
  /// Spelled out for those who ask: few do.
  private let peer: SocketAddress?
  private var told: String??

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    correlationID = ""
    channel = source.channel
    peer = channel.remoteAddress
  }
}
