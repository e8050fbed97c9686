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

  @Test("every text of the public apps is there in every language, with its placeholders", SampleFolder.present)
  func keys() throws {
    let keys = try SampleFolder.json("localization_keys.json", Keys.self).keys
    #expect(Set(keys.map(\.key)) == Set(AuthenticatorTexts.keys.map(\.rawValue)))
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

  @Test("both languages have the same texts, and not the same words")
  func languages() {
    #expect(Set(AuthenticatorTexts.english.keys) == Set(AuthenticatorTexts.french.keys))
    let same = AuthenticatorTexts.english.filter { AuthenticatorTexts.french[$0.key] == $0.value }.map(\.key.rawValue)
    #expect(same.count < 20, "\(same)")
    #expect(
      AuthenticatorTexts(language: "fr-CA").language == "fr"
        && AuthenticatorTexts(language: "FR_fr")["actions.deny"] == "Refuser")
    #expect(
      AuthenticatorTexts(language: "xx")["actions.deny"] == "Deny"
        && AuthenticatorTexts(language: "")["no such"] == "no such")
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
