// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HummingbirdHTTP2
import Kit
import NIOSSL
import Synchronization

/// The certificate and key of a server that are in PEM files. Each handshake takes those of its moment.
package final class CertificateFiles: ServerCertificate {
  private struct Pair: Sendable {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource
    let end: Instant
    let issuersEnd: Instant?
  }

  let settings: TLSSettings
  private let current: Mutex<Pair>

  /// - Throws: `CertificateError`.
  package init(_ settings: TLSSettings) throws {
    self.settings = settings
    current = Mutex(try Self.read(settings))
  }

  package func reload(at now: Instant) throws {
    let pair = try Self.read(settings)
    try current.withLock { current in
      // Who put an old file there by mistake is not to lose the connection of every app.
      guard pair.end >= now || current.end < now else {
        throw CertificateError(
          settings.certificate, "tls.certificate has ended at \(pair.end.rfc3339)", end: pair.end)
      }
      current = pair
    }
  }

  package var file: String { URL(filePath: settings.certificate).lastPathComponent }

  package var end: Instant { current.withLock { $0.end } }

  package var issuersEnd: Instant? { current.withLock { $0.issuersEnd } }

  /// TLS 1.2 with forward secrecy and authenticated encryption, or TLS 1.3 (RFC 9325 §3.1.1, §4.2).
  var configuration: TLSConfiguration {
    let pair = current.withLock { $0 }
    var configuration = Self.configuration(pair)
    // Hummingbird's channel for HTTP/2 puts its own here.
    configuration.applicationProtocols = ["http/1.1"]
    configuration.sslContextCallback = { [self] _, promise in
      let pair = current.withLock { $0 }
      var override = NIOSSLContextConfigurationOverride()
      override.certificateChain = pair.chain
      override.privateKey = pair.key
      promise.succeed(override)
    }
    return configuration
  }

  private static func configuration(_ pair: Pair) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: pair.chain, privateKey: pair.key)
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = [
      .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
      .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
      .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    return configuration
  }

  private static func read(_ settings: TLSSettings) throws -> Pair {
    let (chain, key): ([NIOSSLCertificate], NIOSSLPrivateKey)
    do { chain = try NIOSSLCertificate.fromPEMFile(settings.certificate) } catch {
      throw CertificateError(
        settings.certificate, "tls.certificate names a file that cannot be read or holds no certificate in PEM form")
    }
    do { key = try NIOSSLPrivateKey(file: settings.key, format: .pem) } catch {
      throw CertificateError(
        settings.key, "tls.key names a file that cannot be read or holds no private key in PEM form")
    }
    let ends = chain.map { Instant(milliseconds: Int64($0.notValidAfter) * 1000) }
    let pair = Pair(
      chain: chain.map { .certificate($0) }, key: .privateKey(key),
      end: ends.first ?? Instant(milliseconds: 0), issuersEnd: ends.dropFirst().min())
    guard !chain.isEmpty, (try? NIOSSLContext(configuration: configuration(pair))) != nil else {
      throw CertificateError(settings.key, "tls.key is not the key of tls.certificate")
    }
    return pair
  }
}
