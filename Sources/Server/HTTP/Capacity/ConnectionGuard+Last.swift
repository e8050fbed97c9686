// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

extension ConnectionGuard {
  /// No standard has this field, and the parser takes it for `Connection`.
  private static let proxyConnection = HTTPField.Name("Proxy-Connection")!

  /// Whether a request is the last of its connection: its client names it so, in a list of words in either case (RFC
  /// 9110 §7.6.1), or asks for another protocol. No other one is spoken here, and the request is answered (RFC 9110
  /// §7.8); but the parser reads nothing behind it, so that a later request would never be answered.
  static func isLast(_ head: HTTPRequest) -> Bool {
    if head.method == .connect { return true }
    let asksForProtocol = head.headerFields.contains(.upgrade)
    return [HTTPField.Name.connection, proxyConnection].contains { name in
      guard let options = head.headerFields[name] else { return false }
      return options.split(separator: ",").contains { option in
        let word = option.withoutOptionalWhitespace
        return word.isToken("close") || asksForProtocol && word.isToken("upgrade")
      }
    }
  }

  /// The answer to the last request says that it is the last: a client that asked for another protocol does not know.
  func named(_ data: NIOAny) -> NIOAny {
    guard isLast, unanswered == 1, case .head(var head) = unwrapOutboundIn(data), head.status.kind != .informational
    else { return data }
    head.headerFields[.connection] = "close"
    return wrapOutboundOut(.head(head))
  }
}
