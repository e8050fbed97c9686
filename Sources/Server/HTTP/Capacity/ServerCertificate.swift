// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdCore
import Kit

/// A server's own certificate and its key, when no proxy ends TLS. They may be read anew while connections stand.
///
/// TLS comes with an implementation of its own, which is a tenth of a fresh build: only the program that is installed
/// links it.
package protocol ServerCertificate: Sendable {
  /// The file of the certificate without its folder, which is what a log may have.
  var file: String { get }

  /// When the server's own certificate stops being valid.
  var end: Instant { get }

  /// When the first of those behind it stops; nil without any. Clients may know another way to an authority.
  var issuersEnd: Instant? { get }

  /// Takes up what the files hold now; on an error what was read before stays.
  /// - Throws: `CertificateError`, also for a certificate that has ended at `now` where the one before has not.
  func reload(at now: Instant) throws

  /// HTTP/1.1 over TLS, or HTTP/2 where the client chooses it (RFC 9113 §3.2).
  /// - Parameters:
  ///   - connections: counts each connection from when it is accepted.
  ///   - handshakeTime: a client that takes longer is given up: before it there is no request whose head could be late.
  ///   - stream: of a connection of HTTP/1.1, and of each stream of HTTP/2.
  func server(
    connections: ConnectionCount, handshakeTime: Duration, stream: HTTP1Channel.Configuration
  ) -> HTTPServerBuilder
}

/// The certificate or its key is not what a server can take up. Names the setting and its file, never the key.
package struct CertificateError: Error, CustomStringConvertible {
  /// The file without its folder, which is what a log may have.
  package let file: String
  package let description: String
  /// When the certificate of the file ended; nil where it is refused for something else.
  package let end: Instant?

  package init(_ path: String, _ reason: String, end: Instant? = nil) {
    self.end = end
    (file, description) = (URL(filePath: path).lastPathComponent, "\(reason): \(path)")
  }
}

/// Where the server's own certificate is, when no proxy ends TLS.
package struct TLSSettings: Sendable, Equatable {
  /// PEM file of the certificate and those between it and its authority, in that order.
  package var certificate: String
  /// PEM file of the private key.
  package var key: String
  /// Whether browsers are to ask for TLS at all names below the host's, too.
  package var includesSubDomains: Bool

  package init(certificate: String, key: String, includesSubDomains: Bool = false) {
    (self.certificate, self.key, self.includesSubDomains) = (certificate, key, includesSubDomains)
  }

  /// What an answer over TLS says of the next ones: for a year (RFC 6797 §6.1).
  package var strictTransportSecurity: String {
    "max-age=31536000" + (includesSubDomains ? "; includeSubDomains" : "")
  }
}
