// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A certificate authority of one test, made by the `openssl` command. A client that trusts its certificate
/// trusts the servers that it vouches for.
package final class TestAuthority: Sendable {
  package struct Failed: Error {}

  /// A server's certificate and its private key, as PEM files.
  package struct Identity: Sendable {
    package let certificate: String
    package let key: String
  }

  private static let openssl = "/usr/bin/openssl"
  package static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)
  package static let missing = "\(openssl) is missing"

  /// PEM file of the authority's own certificate.
  package let certificate: String
  private let folder: TestFolder

  package init() throws {
    folder = try TestFolder()
    certificate = folder.file("authority.pem")
    try make("Test authority", "basicConstraints = critical, CA:TRUE\nkeyUsage = keyCertSign", into: "authority", [])
  }

  /// - Parameter names: as in a subjectAltName of openssl, `DNS:localhost,IP:127.0.0.1`.
  /// - Parameter days: how long the certificate is valid.
  package func vouch(for names: String, days: Int = 2) throws -> Identity {
    let name = "server-\(UUID().uuidString)"
    try make(
      "Test server", "basicConstraints = CA:FALSE\nsubjectAltName = \(names)", into: name,
      ["-CA", certificate, "-CAkey", folder.file("authority.key")], days: days)
    return Identity(certificate: folder.file("\(name).pem"), key: folder.file("\(name).key"))
  }

  private func make(
    _ subject: String, _ extensions: String, into name: String, _ signer: [String], days: Int = 2
  ) throws {
    let configuration = folder.file("\(name).cnf")
    try Data("[req]\ndistinguished_name = subject\n[subject]\n[extensions]\n\(extensions)\n".utf8)
      .write(to: URL(filePath: configuration))
    let process = ChildProcess()
    process.executableURL = URL(filePath: Self.openssl)
    process.arguments =
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)", "-config",
        configuration, "-extensions", "extensions", "-subj", "/CN=\(subject)", "-keyout", folder.file("\(name).key"),
        "-out", folder.file("\(name).pem"),
      ] + signer
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
  }
}
