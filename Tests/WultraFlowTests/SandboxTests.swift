// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import WultraWire
import PowerAuthCore
import Synchronization
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: the sandbox's institution is data", .storeless)
struct SandboxTests {
  private func user(_ json: String, _ institution: SandboxInstitution = .standard) throws -> String? {
    institution.user(try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)))?.id
  }

  @Test("the first rule that fits decides, with the members of the identification")
  func rules() throws {
    #expect(try user(#"{"clientNumber":"7","birthDate":"1990-01-01"}"#) == "mockuser_7")
    #expect(try user(#"{"clientNumber":12345}"#) == "mockuser_12345")
    #expect(try user(#"{"clientNumber":"7","shouldFail":true}"#) == nil)
    #expect(try user(#"{"clientNumber":"7","shouldFail":false}"#) == "mockuser_7")
    #expect(try user(#"{"name":"x"}"#) == nil)
    #expect(try user(#"{"clientNumber":null}"#) == nil)
    #expect(try user(#"["clientNumber"]"#) == nil)
  }

  @Test("test persons: one is not known, and one is refused at the end")
  func testPersons() throws {
    #expect(try user(#"{"clientNumber":"unknown"}"#) == nil)
    let rejected = try #require(try user(#"{"clientNumber":"rejected"}"#))
    let institution = SandboxInstitution.standard
    #expect(institution.rule(ofUser: rejected)?.evaluation == .rejected)
    #expect(institution.rule(ofUser: "mockuser_7")?.evaluation == .accepted)
  }

  @Test("an operator's file says who is who")
  func file() throws {
    let institution = try JSONDecoder().decode(
      SandboxInstitution.self,
      from: Data(
        #"""
        {"users": [{"when": {"email": "ada@bank.example"}, "id": "ada", "phone": "+420777000111", "evaluation": "REJECTED"},
                   {"when": {"email": "*"}, "id": "u-{email}"}],
         "consents": [{"type": "GDPR", "version": "1", "texts": {"cs": "Ano?"}}]}
        """#.utf8))
    #expect(try user(#"{"email":"ada@bank.example"}"#, institution) == "ada")
    #expect(try user(#"{"email":"b@c.d"}"#, institution) == "u-b@c.d")
    #expect(institution.rule(ofUser: "ada")?.evaluation == .rejected)
    #expect(institution.rule(ofUser: "u-b@c.d")?.evaluation == nil)
    #expect(institution.consent("GDPR", language: "en")?.consentText == "Ano?")
    #expect(institution.consent("OTHER", language: "en") == nil)
  }

  @Test("without a file of an operator's own, codes are among the sandbox's messages")
  func codes() async throws {
    let sent = Mutex<[Message]>([])
    let gateway = SMSGateway { message in sent.withLock { $0.append(message) } }
    let adapter = OnboardingAdapter.sandbox(
      .standard, messenger: Messenger(sms: gateway, mail: Messenger.absent.mail),
      sender: try MessageSender(name: "Bank", host: "bank.example"), codeMinutes: 5)
    for (user, kind) in [("mockuser_7", OTPMessage.Kind.activation), ("mockuser_8", .userVerification)] {
      try await adapter.sendOTP(
        OTPMessage(
          processId: "p", userId: user, otpCode: "12345678", otpType: kind, resend: false, language: "en"), "m-\(user)")
    }
    let messages = sent.withLock { $0 }
    #expect(messages.map(\.id) == ["m-mockuser_7", "m-mockuser_8"])
    #expect(messages.allSatisfy { $0.channel == .sms && $0.body.contains("12345678") })
    // The range is reserved for fiction, so that no telephone has the number.
    let served = PhonePolicy(servedPrefixes: nil, requiresMobile: false)
    #expect(messages.allSatisfy { if case .accepted = served.check($0.recipient) { true } else { false } })
  }

  @Test("a consent comes in the language asked for, else in English")
  func languages() throws {
    let english = try #require(SandboxInstitution.standard.consent("GDPR", language: "en"))
    #expect(SandboxInstitution.standard.consent("GDPR", language: "ar-KW") != english)
    #expect(SandboxInstitution.standard.consent("GDPR", language: "cs") == english)
    for text in SandboxInstitution.standard.consents.flatMap(\.texts.values) {
      #expect(SafeHTML.sanitized(text) == text)
    }
  }
}
