// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: signatures")
struct SignatureTests {
  private static let keys = SignatureKeys(
    possession: try? SecretKey(Data(counting: 0..<16)), knowledge: try? SecretKey(Data(counting: 16..<32)),
    biometry: try? SecretKey(Data(counting: 32..<48)))
  private static let decimal = SignatureFormat.decimal(.standard)

  private func data(
    method: String = "post", uri: String = "/pa/signature/validate", nonce: Data = Data(counting: 16..<32),
    body: Data = Data(#"{"a":1}"#.utf8), secret: Data = Data(counting: 32..<48)
  ) throws -> NormalizedData {
    try NormalizedData(
      method: method, uriIdentifier: uri, nonce: nonce, body: body,
      applicationSecret: ApplicationSecret(text: secret.base64EncodedString()))
  }

  private func verify(
    _ text: String, _ type: SignatureType = .possessionKnowledge, of data: NormalizedData? = nil,
    keys: SignatureKeys = keys, counter: SignatureCounter, format: SignatureFormat = .base64, lookAhead: Int = 20
  ) throws -> SignatureVerification {
    try SignatureVerification.verify(
      text, type: type, of: data ?? self.data(), keys: keys, counter: counter, format: format, lookAhead: lookAhead)
  }

  @Test("data are normalised to the byte")
  func normalization() throws {
    let text = "POST&L3BhL3NpZ25hdHVyZS92YWxpZGF0ZQ==&EBESExQVFhcYGRobHB0eHw==&"
    #expect(try data().bytes == Data("\(text)eyJhIjoxfQ==&ICEiIyQlJicoKSorLC0uLw==".utf8))
    #expect(try data(body: Data()).bytes == Data("\(text)&ICEiIyQlJicoKSorLC0uLw==".utf8))
    let offline = try NormalizedData(
      offline: "POST", uriIdentifier: "/pa/signature/validate", nonce: Data(counting: 16..<32),
      body: Data(#"{"a":1}"#.utf8))
    #expect(offline.bytes == Data("\(text)eyJhIjoxfQ==&offline".utf8))
    #expect(throws: PowerAuthError.malformed(.nonce)) { try data(nonce: Data(count: 15)) }
  }

  @Test("three factors sign as an independent implementation does")
  func threeFactors() throws {
    let counter = try CounterData(Data(repeating: 9, count: 16))
    #expect(counter.next.bytes.base64EncodedString() == "Q5P3POyJHds5NkDjWZySBg==")
    func sign(_ format: SignatureFormat) throws -> String {
      try Signature(
        .possessionKnowledgeBiometry, of: data(), keys: Self.keys, counter: counter, format: format
      ).text
    }
    #expect(try sign(.base64) == "VvXUYjTiPXjB7YoYyQqD0YVXoxXwk4bvgkRZ70fkTp3oCtXRyUaHC2KJF3dtWFpp")
    #expect(try sign(Self.decimal) == "25425873-06144669-34506857")
  }

  @Test("a server finds a device that is ahead, inside its window only", arguments: SignatureType.allCases)
  func lookAhead(type: SignatureType) throws {
    let counter = SignatureCounter(number: 250, data: CounterData(.seeded(1)))
    for ahead in [0, 1, 19, 20, 40] {
      let signature = try Signature(
        type, of: data(), keys: Self.keys, counter: counter.data.advanced(by: ahead), format: .base64)
      let expected = SignatureVerification.valid(ahead: ahead, next: counter.advanced(by: ahead + 1))
      #expect(try verify(signature.text, type, counter: counter) == (ahead < 20 ? expected : .invalid))
      #expect(try verify(signature.text, type, counter: counter, lookAhead: 64) == expected)
      // A second time it is from before the counter.
      #expect(try verify(signature.text, type, counter: counter.advanced(by: ahead + 1)) == .invalid)
    }
  }

  @Test("nothing of what is signed can be changed")
  func tampering() throws {
    let counter = SignatureCounter(data: CounterData(.seeded(1)))
    let text = try Signature(
      .possessionKnowledge, of: data(), keys: Self.keys, counter: counter.data, format: .base64
    ).text
    #expect(try verify(text, counter: counter) != .invalid)
    for changed in try data().bytes.withEachByteChanged {
      #expect(try verify(text, of: NormalizedData(changed), counter: counter) == .invalid)
    }
    for changed in Data(text.utf8).withEachByteChanged {
      #expect(try verify(String(decoding: changed, as: UTF8.self), counter: counter) == .invalid)
    }
    var others = Self.keys
    others.knowledge = Self.keys.biometry
    #expect(try verify(text, keys: others, counter: counter) == .invalid)
    #expect(try verify(text, .possessionBiometry, counter: counter) == .invalid)
  }

  @Test("a signature of another length or format is wrong, not an error", arguments: ["", "=", "1234-5678", "😀"])
  func lengths(text: String) throws {
    let counter = SignatureCounter(data: CounterData(.seeded(1)))
    #expect(try verify(text, counter: counter) == .invalid)
    #expect(try verify(text, counter: counter, format: Self.decimal) == .invalid)
    let decimal = try Signature(
      .possession, of: data(), keys: Self.keys, counter: counter.data, format: Self.decimal
    ).text
    #expect(try verify(decimal, .possession, counter: counter) == .invalid)
    #expect(try verify("\(decimal)\n", .possession, counter: counter, format: Self.decimal) == .invalid)
  }

  @Test("a factor whose key is not there is an error")
  func missing() throws {
    let keys = SignatureKeys(possession: Self.keys.possession)
    let counter = CounterData(.seeded(1))
    #expect(throws: PowerAuthError.missingFactor) {
      try Signature(.possessionBiometry, of: data(), keys: keys, counter: counter, format: .base64)
    }
    #expect(throws: PowerAuthError.missingFactor) {
      try verify("", .knowledge, keys: keys, counter: SignatureCounter(data: counter))
    }
  }

  @Test("signatures have the lengths that headers are checked for")
  func formats() throws {
    #expect((1...3).map(SignatureFormat.base64.length) == [24, 44, 64])
    #expect((1...3).map(Self.decimal.length) == [8, 17, 26])
    #expect(throws: PowerAuthError.self) { try SignatureFormat.DecimalLength(3) }
    #expect(throws: PowerAuthError.self) { try SignatureFormat.DecimalLength(9) }
  }

  @Test("possession alone does not count attempts")
  func attempts() {
    #expect(SignatureType.allCases.filter { !$0.countsAttempts } == [.possession])
  }
}
