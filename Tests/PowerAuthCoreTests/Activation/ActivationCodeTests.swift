// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: activation codes")
struct ActivationCodeTests {
  private static let code = ActivationCode(.seeded(5))
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

  @Test("a fresh code is one", arguments: 0..<50)
  func fresh(seed: UInt64) throws {
    let code = ActivationCode(.seeded(seed))
    #expect(code.text.split(separator: "-").map(\.count) == [5, 5, 5, 5])
    #expect(try ActivationCode(text: code.text) == code)
  }

  @Test("whichever letter is mistyped, the code is refused")
  func mistyped() {
    let letters = Array(Self.code.text)
    for place in letters.indices where letters[place] != "-" {
      for letter in Self.alphabet where letter != letters[place] {
        var changed = letters
        changed[place] = letter
        #expect(throws: PowerAuthError.malformed(.activationCode)) { try ActivationCode(text: String(changed)) }
      }
    }
  }

  @Test(
    "what looks like a code and is invalid is refused",
    arguments: [
      "AAAAAAAAAAAAAAAAAAAAAAA", "AAAA-AAAAAA-AAAAA-AAAAA", "AAAAA-AAAAA-AAAAA-AAAAA-", "-AAAA-AAAAA-AAAAA-AAAAA",
      "aaaaa-aaaaa-aaaaa-aaaaa", "AAAAA–AAAAA–AAAAA–AAAAA", "ÄAAAA-AAAAA-AAAAA-AAAA", "AAAAA-AAAAA-AAAAA-AAAAB",
      "AAAAA-AAAAA-AAAAA-AAAA=",
    ])
  func lookalikes(text: String) {
    #expect(throws: PowerAuthError.malformed(.activationCode)) { try ActivationCode(text: text) }
  }

  @Test("what people type is corrected letter by letter")
  func corrections() {
    #expect(["0", "1", "a", "z", "A", "7"].map(ActivationCode.correctedCharacter) == ["O", "I", "A", "Z", "A", "7"])
    for wrong: Character in ["8", "9", "-", " ", "#", "ä", "Ä", "٣", "ı", "ß", "e\u{301}"] {
      #expect(ActivationCode.correctedCharacter(wrong) == nil)
    }
  }

  @Test("a scanned code carries its signature, and a changed one is not the server's")
  func scanned() throws {
    let masterKey = ECPrivateKey(.seeded(6))
    let scanned = try ScannedCode(Self.code, signedBy: masterKey)
    #expect(try ScannedCode(text: scanned.text) == scanned)
    #expect(scanned.isSigned(by: masterKey.publicKey))
    #expect(!scanned.isSigned(by: ECPrivateKey(.seeded(7)).publicKey))
    #expect(try !ScannedCode(text: Self.code.text).isSigned(by: masterKey.publicKey))
    for changed in Data(scanned.text.utf8).withEachByteChanged {
      let read = try? ScannedCode(text: String(decoding: changed, as: UTF8.self))
      #expect(read?.isSigned(by: masterKey.publicKey) != true)
    }
  }

  @Test("an empty, broken or endless signature is refused", arguments: ["#", "#=", "#AA", "#AA==#", "#\n"])
  func brokenSignatures(ending: String) {
    #expect(throws: PowerAuthError.malformed(.signature)) { try ScannedCode(text: Self.code.text + ending) }
    #expect(throws: PowerAuthError.tooLong(.activationCode)) {
      try ScannedCode(text: Self.code.text + "#" + String(repeating: "A", count: 1000))
    }
  }

  @Test("a recovery code stands alone or behind its mark, its PUK is ten digits")
  func recovery() throws {
    let recovery = RecoveryCode(Self.code)
    #expect(try RecoveryCode(text: recovery.text) == recovery)
    #expect(try RecoveryCode(text: recovery.scannable) == recovery)
    #expect(throws: PowerAuthError.malformed(.recoveryCode)) { try RecoveryCode(text: "r:" + recovery.text) }
    #expect(throws: PowerAuthError.malformed(.recoveryCode)) { try RecoveryCode(text: "R:R:" + recovery.text) }
    #expect(try RecoveryPUK(text: "0123456789") == RecoveryPUK(text: "0123456789"))
    #expect(try RecoveryPUK(text: "0123456789") != RecoveryPUK(text: "0123456788"))
    for wrong in ["", "123456789", "12345678901", "12345 6789", "١٢٣٤٥٦٧٨٩٠", "+123456789"] {
      #expect(throws: PowerAuthError.malformed(.recoveryCode)) { try RecoveryPUK(text: wrong) }
    }
  }
}
