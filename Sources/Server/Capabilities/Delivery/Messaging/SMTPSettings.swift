// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// How mail leaves: one submission server (RFC 6409).
package struct SMTPSettings: Sendable {
  package enum Security: String, Sendable, CaseIterable {
    /// TLS from the first byte, port 465 (RFC 8314 §3.3).
    case implicit
    /// STARTTLS or nothing (RFC 3207).
    case startTLS = "starttls"
    /// STARTTLS when the server offers it. An attacker on the way can remove the offer.
    case opportunistic
    case off
  }

  package struct Credentials: Sendable {
    let user: String
    let password: String

    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  package let host: String
  package let port: Int
  package let security: Security
  package let credentials: Credentials?
  /// In the From line and, without its name, the envelope.
  package let sender: MailSender
  /// Nil where the submission server signs, or mail is unsigned.
  package var signer: DKIMSigner?
  package var caFile: String?
  package var connectTimeout = Duration.seconds(10)
  package var timeout = Duration.seconds(30)

  /// - Parameter port: nil for 465 with implicit TLS and 587 otherwise.
  /// - Throws: `SMTPSettingsError` when the settings do not fit each other.
  package init(
    host: String, port: Int? = nil, security: Security = .startTLS, credentials: Credentials? = nil, sender: MailSender
  ) throws {
    guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte) else { throw SMTPSettingsError.host }
    let port = port ?? (security == .implicit ? 465 : 587)
    guard (1...65535).contains(port) else { throw SMTPSettingsError.port }
    let isAssured = security == .implicit || security == .startTLS
    // A password must not cross a network unprotected.
    guard credentials == nil || isAssured || host.isLoopbackHost else {
      throw SMTPSettingsError.credentialsWithoutTLS
    }
    self.host = host
    self.port = port
    self.security = security
    self.credentials = credentials
    self.sender = sender
  }

  /// The path of the URL is the name that we give in EHLO.
  var peer: TransferPeer {
    let scheme = security == .implicit ? "smtps" : "smtp"
    let authority = host.contains(":") ? "[\(host)]" : host
    var peer = TransferPeer(url: "\(scheme)://\(authority):\(port)/\(sender.address.domain)")
    peer.caFile = caFile
    peer.connectTimeout = connectTimeout
    peer.timeout = timeout
    return peer
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

package enum SMTPSettingsError: Error, Sendable, Equatable {
  case host, port
  /// A user name and password need implicit TLS or required STARTTLS, except on loopback.
  case credentialsWithoutTLS
}

/// Who mail comes from.
package struct MailSender: Sendable, Equatable {
  package let name: String
  package let address: EmailAddress

  package init(name: String, address: EmailAddress) {
    self.name = name
    self.address = address
  }
}
