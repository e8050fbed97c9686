// SPDX-License-Identifier: Apache-2.0

import GatehouseTransport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: texts")
struct TextTests {
  private struct Keys: Decodable {
    struct Key: Decodable {
      let key: String
      let placeholders: [String]
    }
    let keys: [Key]
  }

  @Test(
    "every text of the public apps is there in every language, with its placeholders",
    SampleFolder.needed("localization_keys.json"))
  func keys() throws {
    let keys = try SampleFolder.json("localization_keys.json", Keys.self).keys
    #expect(Set(keys.map(\.key)).isSubset(of: AuthenticatorTexts.keys.map(\.rawValue)))
    for language in AuthenticatorTexts.languages {
      let texts = AuthenticatorTexts(language: language)
      for key in keys {
        let text = texts[.init(rawValue: key.key)]
        #expect(text != key.key && !text.isEmpty, "\(language) \(key.key)")
        let found = Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
        #expect(found == Set(key.placeholders), "\(language) \(key.key)")
      }
    }
  }

  @Test("all languages have the same texts with the same placeholders, and not the same words")
  func languages() throws {
    #expect(Set(AuthenticatorTexts.english.keys) == Set(AuthenticatorTexts.french.keys))
    let screens = try #require(AuthenticatorTexts.screenTables["en"])
    for language in AuthenticatorTexts.languages {
      let texts = AuthenticatorTexts(language: language)
      #expect(texts.language == language)
      #expect(Set(try #require(AuthenticatorTexts.screenTables[language]).keys) == Set(screens.keys))
      for (key, english) in AuthenticatorTexts.english.merging(screens, uniquingKeysWith: { one, _ in one }) {
        let text = texts[key]
        #expect(text != key.rawValue && !text.isEmpty, "\(language) \(key.rawValue)")
        #expect(Self.placeholders(text) == Self.placeholders(english), "\(language) \(key.rawValue)")
      }
    }
    let common = AuthenticatorTexts.english.filter { AuthenticatorTexts.arabic[$0.key] == $0.value }.map(\.key.rawValue)
    #expect(common.count < 5, "\(common)")
    let same = AuthenticatorTexts.english.filter { AuthenticatorTexts.french[$0.key] == $0.value }.map(\.key.rawValue)
    #expect(same.count < 20, "\(same)")
    #expect(
      AuthenticatorTexts(language: "fr-CA").language == "fr"
        && AuthenticatorTexts(language: "FR_fr")["actions.deny"] == "Refuser")
    #expect(
      AuthenticatorTexts(language: "xx")["actions.deny"] == "Deny"
        && AuthenticatorTexts(language: "")["no such"] == "no such")
  }

  private static func placeholders(_ text: String) -> Set<String> {
    Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
  }

  @Test("what is put into a text is never read as a placeholder")
  func placeholders() {
    let texts = AuthenticatorTexts(language: "en")
    #expect(
      texts["in_app.connection.consents.granted_to", ["consent": "{connection}", "connection": "Bank {consent}"]]
        == "{connection} has access to accounts at Bank {consent}")
  }

  @Test("a block is told in whole minutes, rounded up")
  func block() {
    for (seconds, minutes) in [(1, 1), (60, 1), (61, 2), (3600, 60)] {
      #expect(LockState.minutes(.seconds(seconds)) == minutes)
    }
    #expect(LockState.minutes(.milliseconds(60_001)) == 2)
    #expect(AuthenticatorTexts(language: "en").blocked(for: .seconds(300)).contains("5 min"))
  }

  @Test("an error is told in words; the bank's own where the bank refused")
  func errors() {
    let texts = AuthenticatorTexts(language: "en")
    #expect(texts[AuthenticatorError(.authentication, .init(rawValue: "X"), message: "No such user")] == "No such user")
    #expect(texts[AuthenticatorError(.authentication, .authentication)] == texts["in_app.connection.connection_failed"])
    #expect(texts[AuthenticatorError(TransportError(.offline))] == texts["errors.no_internet_connection_try_again"])
    #expect(
      texts[AuthenticatorError(.refused(status: 500), .init(rawValue: "X"), message: "stack")]
        == texts["errors.try_again"])
  }
}
