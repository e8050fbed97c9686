// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

@Suite("Salt Edge: authorization codes")
struct AuthorizationCodeTests {
  private static let attributes = ["amount": "12.00", "currency": "EUR", "payee": "Bakery"]
  private static let salt = Data(0..<16)

  @Test("is the digest of salt and attributes, each behind its length")
  func digest() {
    let code = AuthorizationCode(binding: Self.attributes, salt: Self.salt)
    #expect(code.text == "WVTbS38o0JnI7X04GH-oorcgnXfgCJJC14r5HzPcUJM")
    #expect(AuthorizationCode(binding: [:], salt: Self.salt).text == "vkXLJgW_Nr695oSEGijw_UPGmFCj3OX-26aZKO46iZE")
  }

  @Test("binds every attribute, its name, and the salt")
  func binding() {
    let code = AuthorizationCode(binding: Self.attributes, salt: Self.salt)
    #expect(code.binds(Self.attributes, salt: Self.salt))
    var others = Self.attributes.keys.map { name in Self.attributes.filter { $0.key != name } }
    for name in Self.attributes.keys {
      others.append(Self.attributes.merging([name: "other"]) { $1 })
      others.append(Self.attributes.merging(["\(name)2": "12.00"]) { $1 })
    }
    others.append(["amount": "12.00", "currency": "EUR", "payee": "Bakery "])
    for other in others { #expect(!code.binds(other, salt: Self.salt), "\(other)") }
    #expect(!code.binds(Self.attributes, salt: Data(1..<17)))
  }

  @Test("attributes that read alike when joined are not alike")
  func joined() {
    let codes = [["ab": "c"], ["a": "bc"], ["abc": ""], ["": "abc"], ["a": "b", "c": ""], ["a": "", "b": "c"]].map {
      AuthorizationCode(binding: $0, salt: Self.salt).text
    }
    #expect(Set(codes).count == codes.count)
  }

  @Test("is matched whole")
  func matching() throws {
    let code = try AuthorizationCode(text: "123456789")
    #expect(code.matches("123456789"))
    for other in ["", "12345678", "1234567890", "123456788", "023456789"] { #expect(!code.matches(other)) }
    #expect(try code == AuthorizationCode(text: "123456789") && code != AuthorizationCode(text: "123456780"))
  }

  @Test("is bounded")
  func bounds() throws {
    #expect(throws: SaltEdgeError.malformed(.authorizationCode)) { try AuthorizationCode(text: "") }
    #expect(throws: SaltEdgeError.tooLong(.authorizationCode)) {
      try AuthorizationCode(text: String(repeating: "1", count: 4097))
    }
    #expect(try AuthorizationCode(text: String(repeating: "1", count: 4096)).text.count == 4096)
  }
}
