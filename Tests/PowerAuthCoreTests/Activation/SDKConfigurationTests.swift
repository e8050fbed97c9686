// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Testing

@Suite("PowerAuth: the configuration of an app")
struct SDKConfigurationTests {
  /// The example of powerauth.md §2.1.
  private static let example =
    "ARDDj6EB6iAUtNmNxKM/BsbaEEs5bP+yVmyjfhQDoox3LDwBAUEEQQ7CWNKAi0EgCfOvd/srfqz4oqhTMLwsT4r7sPLRfqICRw9cCMs/Uoo/"
    + "F2rIz+KKEcBxbnH9bMk8Ju3K1wmjbA=="

  @Test("the example of the specification is read and written")
  func example() throws {
    let configuration = try SDKConfiguration(text: Self.example)
    #expect(configuration.applicationKey.text == "w4+hAeogFLTZjcSjPwbG2g==")
    #expect(configuration.applicationSecret.text == "Szls/7JWbKN+FAOijHcsPA==")
    #expect(
      configuration.masterPublicKey.uncompressed.base64EncodedString()
        == "BEEOwljSgItBIAnzr3f7K36s+KKoUzC8LE+K+7Dy0X6iAkcPXAjLP1KKPxdqyM/iihHAcW5x/WzJPCbtytcJo2w=")
    #expect(configuration.text == Self.example)
  }

  @Test("lengths of two and four bytes are read, keys of other kinds left alone")
  func lengths() throws {
    let bytes = try #require(Data(base64Encoded: Self.example))
    let (head, masterKey) = (bytes.prefix(35), bytes.suffix(65))
    #expect(bytes[35] == 1 && bytes[36] == 1 && bytes[37] == 65)
    for length in [[0x80, 65], [0xc0, 0, 0, 65]] as [[UInt8]] {
      let longer = Data(head + [1, 1] + length + masterKey)
      #expect(try SDKConfiguration(text: longer.base64EncodedString()).text == Self.example)
    }
    let other = Data([2, 0x81, 0x00] + Array(repeating: 7, count: 256))
    let two = Data(head + [2] + other + [1, 65] + masterKey)
    #expect(try SDKConfiguration(text: two.base64EncodedString()).text == Self.example)
  }

  @Test("what is cut short, too long, of another format or with two keys is refused")
  func refusals() throws {
    let bytes = try #require(Data(base64Encoded: Self.example))
    for count in 0..<bytes.count {
      #expect(throws: PowerAuthError.self) {
        try SDKConfiguration(text: bytes.prefix(count).base64EncodedString())
      }
    }
    let key = bytes.suffix(67)
    for wrong in [bytes + [0], [2] + bytes.dropFirst(), bytes.prefix(35) + [2] + key + key, bytes.prefix(35) + [0]] {
      #expect(throws: PowerAuthError.malformed(.configuration)) {
        try SDKConfiguration(text: Data(wrong).base64EncodedString())
      }
    }
    #expect(throws: PowerAuthError.malformed(.configuration)) { try SDKConfiguration(text: "\(Self.example)\n") }
    #expect(throws: PowerAuthError.tooLong(.configuration)) {
      try SDKConfiguration(text: String(repeating: "A", count: 100_000))
    }
  }
}
