// SPDX-License-Identifier: Apache-2.0

import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// What is for this machine only, whatever the server listens on: messages with live codes, and the first way in.
enum LocalClient {
  /// What proxies write beside `X-Forwarded-…`, and neither browsers nor tools do by themselves.
  private static let proxyFields: Set<String> = [
    "forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip",
  ]

  /// - Throws: `Problem` not found.
  static func require(_ request: Request, _ context: PublicContext) throws {
    // A page from elsewhere whose name resolves to this machine names its own host.
    let host = (request.head.authority ?? "localhost").lowercased()
    guard ["localhost", "127.0.0.1", "[::1]"].contains(where: { host == $0 || host.hasPrefix($0 + ":") }) else {
      throw Problem.notFound
    }
    // Behind a proxy on this machine every client comes from this machine, also where no setting names the proxy.
    let isPassedOn = request.headers.contains { field in
      Self.proxyFields.contains(field.name.canonicalName) || field.name.canonicalName.hasPrefix("x-forwarded-")
    }
    guard !isPassedOn else { throw Problem.notFound }
    guard let address = context.clientAddress else { return }
    guard address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.") else {
      throw Problem.notFound
    }
  }
}
