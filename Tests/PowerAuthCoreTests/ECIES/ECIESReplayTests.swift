// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Testing

@Suite("PowerAuth: repeated requests")
struct ECIESReplayTests {
  private let request = ECIESRequest(
    ephemeralPublicKey: Data(counting: 0..<33), encryptedData: Data(count: 16), mac: Data(count: 32),
    nonce: Data(counting: 0..<16), timestamp: 1)

  private func key(
    _ version: ProtocolVersion, of identifier: String = "a", change: (inout ECIESRequest) -> Void = { _ in }
  ) -> Data {
    var request = request
    change(&request)
    return request.replayKey(version: version, identifier: identifier)
  }

  @Test("a request is remembered by its ephemeral key and whose it is", arguments: ProtocolVersion.allCases)
  func identity(version: ProtocolVersion) {
    #expect(key(version).count == 32)
    #expect(key(version) == key(version) { $0.timestamp = 2 })
    #expect(key(version) == key(version) { $0.mac = Data() })
    #expect(key(version) != key(version, of: "b"))
    #expect(key(version) != key(version) { $0.ephemeralPublicKey[3] ^= 1 })
  }

  @Test("a nonce that no MAC covers does not make a request new")
  func nonces() {
    for version in [ProtocolVersion.v32, .v33] { #expect(key(version) != key(version) { $0.nonce?[0] ^= 1 }) }
    for version in [ProtocolVersion.v30, .v31] { #expect(key(version) == key(version) { $0.nonce?[0] ^= 1 }) }
  }

  @Test("a request is timely for a minute on either side")
  func timeliness() {
    let now: UInt64 = 1_700_000_000_123
    #expect(ECIES.isTimely(now - 60_000, now: now) && ECIES.isTimely(now + 60_000, now: now))
    #expect(!ECIES.isTimely(now - 60_001, now: now) && !ECIES.isTimely(now + 60_001, now: now))
    #expect(!ECIES.isTimely(.max, now: 0) && !ECIES.isTimely(0, now: .max))
    #expect(ECIES.lifetime(of: .v33) == 60_000 && ECIES.lifetime(of: .v31) == 7_200_000)
  }
}
