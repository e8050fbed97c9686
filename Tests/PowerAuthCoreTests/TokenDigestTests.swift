// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: tokens")
struct TokenDigestTests {
  private let secret = SecretKey(.seeded(1))
  private let nonce = Data(counting: 16..<32)
  private let time: UInt64 = 1_700_000_000_123

  private func header(_ version: ProtocolVersion) throws -> TokenHeader {
    try TokenDigest.header(
      for: TokenIdentifier(text: "40e178b9-902f-47aa-96d3-8369975856d6"), secret: secret, nonce: nonce, timestamp: time,
      version: version)
  }

  @Test("a digest is what an independent implementation computes, with the version from 3.2 on")
  func values() throws {
    let secret = try SecretKey(Data(counting: 0..<16))
    func digest(_ version: ProtocolVersion) -> String {
      TokenDigest.compute(secret: secret, nonce: nonce, timestamp: time, version: version).base64EncodedString()
    }
    #expect(digest(.v33) == "7Ubbnam53zJaxvSNZr3vfSVBYYWBhlRwSpLcWt4sjyY=")
    #expect(digest(.v31) == "gpxvJOGxbXftuWI8z3gJ14dlYLGG+YjoWHhmDS+sVgs=")
    #expect(digest(.v30) == digest(.v31))
    #expect(digest(.v32) != digest(.v33))
  }

  @Test("a header verifies with its secret", arguments: ProtocolVersion.allCases)
  func verification(version: ProtocolVersion) throws {
    let read = try TokenHeader(value: header(version).value)
    #expect(TokenDigest.verifies(read, secret: secret))
    #expect(!TokenDigest.verifies(read, secret: SecretKey(.seeded(2))))
  }

  @Test("whatever is changed in the header's digest, nonce, time or version is refused")
  func tampering() throws {
    let header = try header(.v33)
    func changed(
      _ version: ProtocolVersion = .v33, digest: Data? = nil, nonce: Data? = nil, timestamp: UInt64? = nil
    ) throws -> TokenHeader {
      try TokenHeader(
        version: version, tokenIdentifier: header.tokenIdentifier, digest: digest ?? header.digest,
        nonce: nonce ?? header.nonce, timestamp: timestamp ?? header.timestamp)
    }
    var wrong = [try changed(.v32), try changed(.v31), try changed(timestamp: time + 1)]
    wrong += try header.digest.withEachByteChanged.map { try changed(digest: $0) }
    wrong += try header.nonce.withEachByteChanged.map { try changed(nonce: $0) }
    for header in wrong { #expect(!TokenDigest.verifies(header, secret: secret)) }
  }

  @Test("two hours back and half an hour ahead are in time, more is not")
  func timeliness() {
    #expect(TokenDigest.isTimely(time - 7_200_000, now: time))
    #expect(!TokenDigest.isTimely(time - 7_200_001, now: time))
    #expect(TokenDigest.isTimely(time + 1_800_000, now: time))
    #expect(!TokenDigest.isTimely(time + 1_800_001, now: time))
    #expect(!TokenDigest.isTimely(.max, now: time) && !TokenDigest.isTimely(0, now: .max))
  }
}
