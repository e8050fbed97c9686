// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import GatehouseTransport

@Suite("Transport: the public key in a certificate")
struct SubjectPublicKeyTests {
  /// By `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256`.
  private static let certificate = data(
    """
    MIIBhDCCASugAwIBAgIUDBlAM5lovRpfifCqNbzzPcVtYngwCgYIKoZIzj0EAwIwFzEVMBMGA1UEAwwMYmFuay5leGFtcGxlMCAX
    DTI2MTEyMjA5MTYzOFoYDzIxMjYxMDI5MDkxNjM4WjAXMRUwEwYDVQQDDAxiYW5rLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAAQfwplkza64ZxMj1QCkr3sRySoH5zxm1gyqVUJl9jQJ1Up4I8uKVxHIHfZeq0CABARUZXlxeAx6r0nIyH2GhjSNo1Mw
    UTAdBgNVHQ4EFgQUAD1xVX7VOMUMWUiAGuRPUg2pMPkwHwYDVR0jBBgwFoAUAD1xVX7VOMUMWUiAGuRPUg2pMPkwDwYDVR0TAQH/
    BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBPPWnl3bevH59lIxjqY6v7UqT/4fFx6lvwGfr6COzlCwIgDuiRnNjCDazL2svdDjLS
    PwboYewteE/j9ohdFA1Y6cs=
    """)
  /// By `openssl x509 -pubkey | openssl pkey -pubin -outform der`.
  private static let key = data(
    """
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEH8KZZM2uuGcTI9UApK97EckqB+c8ZtYMqlVCZfY0CdVKeCPLilcRyB32XqtAgAQE
    VGV5cXgMeq9JyMh9hoY0jQ==
    """)

  @Test("is found, whole")
  func found() { #expect(SubjectPublicKey.info(ofCertificate: Self.certificate) == Self.key) }

  @Test("is not found in a part of one, nor does anything else happen")
  func cut() {
    for length in 0..<Self.certificate.count {
      #expect(SubjectPublicKey.info(ofCertificate: Self.certificate.prefix(length)) == nil)
    }
  }

  @Test("whatever a byte is changed to, something is found or nothing", arguments: 0..<200)
  func changed(seed: Int) {
    var certificate = Self.certificate
    certificate[(seed * 131) % certificate.count] = UInt8(truncatingIfNeeded: seed * 37 + 1)
    for bytes in [certificate, Data(repeating: UInt8(truncatingIfNeeded: seed), count: seed)] {
      guard let key = SubjectPublicKey.info(ofCertificate: bytes) else { continue }
      #expect(bytes.range(of: key) != nil)
    }
  }

  private static func data(_ text: String) -> Data {
    Data(base64Encoded: text.filter { !$0.isWhitespace }) ?? Data()
  }
}
