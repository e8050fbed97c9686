// SPDX-License-Identifier: Apache-2.0

import Configuration
import Kit

/// Where the server's own certificate is, when no proxy ends TLS.
struct TLSSettings: Sendable, Equatable {
  /// PEM file of the certificate and those between it and its authority, in that order.
  var certificate: String
  /// PEM file of the private key.
  var key: String
  /// Whether browsers are to ask for TLS at all names below the host's, too.
  var includesSubDomains = false

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

extension TLSSettings {
  /// A year (RFC 6797 §6.1).
  var strictTransportSecurity: String { "max-age=31536000" + (includesSubDomains ? "; includeSubDomains" : "") }
}

extension Settings {
  /// What is wrong with the certificate as its files are now.
  var certificateFault: String? {
    guard let tls else { return nil }
    do { _ = try ServerCertificate(tls) } catch { return "\(error)" }
    return nil
  }
}
