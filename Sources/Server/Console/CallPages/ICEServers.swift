// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import Scheduling

/// Servers that help two browsers find each other (ICE, RFC 8445): STUN tells a browser its address, TURN carries what
/// finds no direct way.
///
/// A TURN server gets a name and a password that are good for one side of one call and a few hours: the name is
/// `expiry:user`, the password base64(HMAC-SHA1(secret, name)), as coturn's `use-auth-secret` has it
/// (draft-uberti-behave-turn-rest-00). The secret never leaves this server.
package struct ICEServers: Sendable {
  /// As long as a call can last; a TURN server asks for the password again and again.
  package static let credentialLifetime = Duration.hours(5)
  /// None: browsers find each other in one network only.
  package static let none = ICEServers(stun: [], turn: [], secret: nil)

  /// `stun:host:port`.
  let stun: [String]
  /// `turn:host:port?transport=udp`, `turns:host:port?transport=tcp`.
  let turn: [String]
  /// Whether browsers go through a TURN server only, so that neither learns the other's address (RFC 8828 §5.2, mode 4;
  /// `RTCIceTransportPolicy` of WebRTC 1.0 §4.2.5).
  let isRelayOnly: Bool
  /// Shared with the TURN servers.
  private let secret: String?

  package init(stun: [String], turn: [String], secret: String?, isRelayOnly: Bool = false) {
    (self.stun, self.turn, self.secret, self.isRelayOnly) = (stun, turn, secret, isRelayOnly)
  }

  /// What `RTCPeerConnection` takes (WebRTC 1.0 §4.2.4).
  struct Server: Encodable, Sendable, Equatable {
    let urls: [String]
    var username: String?
    var credential: String?
  }

  /// - Parameter user: names a side of a call to the TURN server, and no person.
  func list(for user: String, at now: Instant) -> [Server] {
    var servers = stun.isEmpty ? [] : [Server(urls: stun)]
    if let secret, !turn.isEmpty {
      let name = "\((now + Self.credentialLifetime).milliseconds / 1000):\(user)"
      let code = HMAC<Insecure.SHA1>.authenticationCode(
        for: Data(name.utf8), using: SymmetricKey(data: Data(secret.utf8)))
      servers.append(Server(urls: turn, username: name, credential: Data(code).base64EncodedString()))
    }
    return servers
  }

  /// Whether a text is an address of one of these schemes (RFC 7064, RFC 7065).
  package static func isAddress(_ text: String, _ schemes: [String]) -> Bool {
    guard text.utf8.count <= 255, let colon = text.firstIndex(of: ":"), schemes.contains(String(text[..<colon])) else {
      return false
    }
    return text[text.index(after: colon)...].wholeMatch(
      of: #/([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(\?transport=(udp|tcp))?/#) != nil
  }
}
