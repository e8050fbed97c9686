// SPDX-License-Identifier: Apache-2.0

import Configuration
import HTTP
import Kit

extension TLSSettings {
  // What docs/reference/settings.md tells of them.
  // tls.certificate: PEM file of the server's certificate and those between it and its authority; without it a proxy
  //   ends TLS
  // tls.key: PEM file of its private key
  // tls.includeSubDomains: whether Strict-Transport-Security is for all names below the host's, too: each of them has
  //   to have TLS then

  /// - Returns: nil when the settings name no certificate.
  /// - Throws: `SettingsError` for a part of it.
  static func read(_ config: ConfigReader) throws -> TLSSettings? {
    let includesSubDomains = config.bool(forKey: "tls.includeSubDomains", default: false)
    switch (config.string(forKey: "tls.certificate"), config.string(forKey: "tls.key")) {
    case (nil, nil):
      guard !includesSubDomains else {
        throw SettingsError("tls.includeSubDomains needs tls.certificate: a proxy that ends TLS writes that header")
      }
      return nil
    case (let certificate?, let key?):
      return TLSSettings(certificate: certificate, key: key, includesSubDomains: includesSubDomains)
    default: throw SettingsError("tls.certificate and tls.key are set together")
    }
  }
}

extension Settings {
  /// The server's own certificate; nil leaves TLS to a proxy.
  /// - Throws: `CertificateError`, or `SettingsError` in a program that ends no TLS.
  func serverCertificate() throws -> (any ServerCertificate)? {
    guard let tls else { return nil }
    guard let certificate = links.certificate else {
      throw SettingsError("tls.certificate is for gatehouse: this program ends no TLS")
    }
    return try certificate(tls)
  }

  /// What is wrong with the certificate as its files are now.
  var certificateFault: String? {
    do { _ = try serverCertificate() } catch { return "\(error)" }
    return nil
  }
}
