// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit

/// What is for this machine only, whatever the server listens on: messages with live codes, and the first way in.
enum LocalClient {
  /// - Throws: `Problem` not found.
  static func require(_ request: Request, _ context: PublicContext) throws {
    // A page from elsewhere whose name resolves to this machine names its own host.
    let host = (request.head.authority ?? "localhost").lowercased()
    guard ["localhost", "127.0.0.1", "[::1]"].contains(where: { host == $0 || host.hasPrefix($0 + ":") }) else {
      throw Problem.notFound
    }
    guard let address = context.clientAddress else { return }
    guard address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.") else {
      throw Problem.notFound
    }
  }
}
