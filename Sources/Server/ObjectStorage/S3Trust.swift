// SPDX-License-Identifier: Apache-2.0

import NIOSSL

/// Who vouches for the store's certificate.
package struct S3Trust: Sendable {
  /// A file that the operator has to correct. Says nothing of what is in it.
  package struct Malformed: Error, Sendable, Equatable {}

  /// What the client's TLS is made of: 1.2 or later.
  let configuration: TLSConfiguration

  private init(_ roots: NIOSSLTrustRoots) {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.trustRoots = roots
    self.configuration = configuration
  }

  /// The authorities that the machine trusts.
  package static let system = S3Trust(.default)

  /// Only the authorities in a PEM file.
  /// - Throws: `Malformed` when it cannot be read or holds no certificate.
  package static func authorities(at path: String) throws -> S3Trust {
    guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else { throw Malformed() }
    return S3Trust(.certificates(certificates))
  }
}
