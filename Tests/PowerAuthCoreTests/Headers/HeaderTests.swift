// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Testing

@Suite("PowerAuth: headers")
struct HeaderTests {
  private static let activation = "40e178b9-902F-47aa-96d3-8369975856d6"
  private static let key = Data(counting: 16..<32).base64EncodedString()
  private static let nonce = Data(counting: 0..<16)
  private static let items = [
    "pa_version=\"3.3\"", "pa_activation_id=\"\(activation)\"", "pa_application_key=\"\(key)\"",
    "pa_nonce=\"\(nonce.base64EncodedString())\"", "pa_signature_type=\"possession\"",
    "pa_signature=\"\(nonce.base64EncodedString())\"",
  ]
  private static let signed = "PowerAuth " + items.joined(separator: ", ")

  @Test("a signature's header is written as the specification shows it, and read in any order")
  func signature() throws {
    let header = try SignatureHeader(
      version: .v33, activationIdentifier: ActivationIdentifier(text: Self.activation),
      applicationKey: ApplicationKey(text: Self.key), nonce: Self.nonce, type: .possession,
      signature: Self.nonce.base64EncodedString())
    #expect(header.value == Self.signed)
    #expect(try SignatureHeader(value: Self.signed) == header)
    let turned = (Self.items.reversed() + ["pa_extra=\"1\""]).joined(separator: ",")
    #expect(try SignatureHeader(value: "PowerAuth \(turned)") == header)
    #expect(try SignatureHeader(value: "PowerAuth   \(Self.items.joined(separator: " ,  ")) ") == header)
  }

  @Test("every item is needed, once, and in its form", arguments: items.indices)
  func neededItems(place: Int) {
    var fewer = Self.items
    let item = fewer.remove(at: place)
    for wrong in [fewer, fewer + [item, item], fewer + [item.replacing("=\"", with: "=\"x")]] {
      #expect(throws: PowerAuthError.self) {
        try SignatureHeader(value: "PowerAuth " + wrong.joined(separator: ", "))
      }
    }
  }

  @Test(
    "what is no header is refused",
    arguments: [
      "", "PowerAuth", "PowerAuth ", "powerauth \(items[0])", "Bearer x", "PowerAuth a", "PowerAuth a=",
      "PowerAuth a=b",
      "PowerAuth a=\"b", "PowerAuth a=\"b\",", "PowerAuth a=\"b\" c=\"d\"", "PowerAuth ,", "PowerAuth =\"b\"",
      "PowerAuth a =\"b\"", "PowerAuth a=\"b\"\n", "PowerAuth ä=\"b\"", signed + ",", signed + "x", signed + "\u{0}",
    ])
  func malformed(header: String) {
    #expect(throws: PowerAuthError.malformed(.header)) { try SignatureHeader(value: header) }
  }

  @Test("an endless header is refused")
  func endless() {
    #expect(throws: PowerAuthError.tooLong(.header)) {
      try SignatureHeader(value: Self.signed + String(repeating: " ", count: 10_000))
    }
    let many = (0..<17).map { "a\($0)=\"\"" }.joined(separator: ",")
    #expect(throws: PowerAuthError.malformed(.header)) { try SignatureHeader(value: "PowerAuth \(many)") }
  }

  @Test("a signature has the form that version and type call for")
  func forms() throws {
    func read(_ version: String, _ type: String, _ signature: String) throws -> SignatureHeader {
      var items = Self.items
      items[0] = "pa_version=\"\(version)\""
      items[4] = "pa_signature_type=\"\(type)\""
      items[5] = "pa_signature=\"\(signature)\""
      return try SignatureHeader(value: "PowerAuth " + items.joined(separator: ", "))
    }
    #expect(try read("3.0", "possession_knowledge", "12345678-87654321").type == .possessionKnowledge)
    #expect(try read("3.1", "biometry", Self.key).version == .v31)
    let wrong = [
      ("3.0", "possession", Self.key), ("3.3", "possession_knowledge", Self.key), ("3.3", "possession", "12345678"),
      ("3.0", "possession_knowledge", "12345678987654321"), ("3.0", "possession", "1234567-"),
      ("3.3", "possession", "AAAAAAAAAAAAAAAAAAAAAB=="), ("3.3", "none", Self.key),
    ]
    for (version, type, signature) in wrong {
      #expect(throws: PowerAuthError.malformed(.signature)) { try read(version, type, signature) }
    }
    for version in ["2.1", "3", "3.4", "4.0", ""] {
      #expect(throws: PowerAuthError.unsupportedVersion) { try read(version, "possession", Self.key) }
    }
  }

  @Test("an encryption header is written and read in both scopes")
  func encryption() throws {
    let application = EncryptionHeader(version: .v32, applicationKey: try ApplicationKey(text: Self.key))
    #expect(application.value == "PowerAuth version=\"3.2\", application_key=\"\(Self.key)\"")
    #expect(try EncryptionHeader(value: application.value) == application)
    let activation = EncryptionHeader(
      version: .v33, applicationKey: try ApplicationKey(text: Self.key),
      activationIdentifier: try ActivationIdentifier(text: Self.activation))
    #expect(activation.value.hasSuffix(", activation_id=\"\(Self.activation)\""))
    #expect(try EncryptionHeader(value: activation.value) == activation)
    #expect(throws: PowerAuthError.malformed(.activationIdentifier)) {
      try EncryptionHeader(value: application.value + ", activation_id=\"\"")
    }
  }

  @Test("a token's header is written and read, its time in one spelling")
  func token() throws {
    let header = try TokenHeader(
      version: .v33, tokenIdentifier: TokenIdentifier(text: Self.activation), digest: Data(count: 32),
      nonce: Self.nonce, timestamp: 1_700_000_000_123)
    #expect(
      header.value == """
        PowerAuth version="3.3", token_id="\(Self.activation)", \
        token_digest="AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", \
        nonce="AAECAwQFBgcICQoLDA0ODw==", timestamp="1700000000123"
        """)
    #expect(try TokenHeader(value: header.value) == header)
    for wrong in ["", "-1", "+1700000000123", "01700000000123", "1e3", "18446744073709551616", " 1"] {
      #expect(throws: PowerAuthError.malformed(.timestamp)) {
        try TokenHeader(value: header.value.replacing("1700000000123", with: wrong))
      }
    }
  }
}
