// SPDX-License-Identifier: Apache-2.0

import Foundation
import SEAuthenticator
import SEAuthenticatorV2
import Testing

extension Published {
  @Suite("Published surface: what is decrypted and answered")
  struct ModelTests {
    private static let authorization: [String: any Sendable] = [
      "id": 444, "connection_id": "333", "title": "Pay", "description": "<b>12 EUR</b>", "authorization_code": "code",
      "created_at": "2026-11-21T06:00:00.378Z", "expires_at": "2026-11-21T06:05:00Z",
    ]

    @Test("an authorization of v1 is read, its ids numbers or texts")
    func v1() throws {
      let read = try #require(SEAuthorizationData(Self.authorization))
      let base: any SEBaseAuthorizationData = read
      #expect(base.id == "444" && base.connectionId == "333" && base.apiVersion == "1")
      #expect(read.title == "Pay" && read.description == "<b>12 EUR</b>" && base.authorizationCode == "code")
      #expect(base.createdAt.timeIntervalSince1970 == 1_795_240_800.378)
      #expect(base.expiresAt.timeIntervalSince1970 == 1_795_241_100)
      #expect(read == SEAuthorizationData(Self.authorization))
    }

    @Test("without a required member it is nil", arguments: authorization.keys.sorted())
    func incomplete(member: String) {
      var members = Self.authorization as [String: Any]
      members[member] = nil
      #expect((SEAuthorizationData(members) == nil) == (member != "authorization_code"))
      members[member] = ["an": "object"]
      #expect((SEAuthorizationData(members) == nil) == (member != "authorization_code"))
    }

    @Test("an authorization of v2 is read, and one with nothing in it has no more than its state")
    func v2() throws {
      _ = Device()
      var members = Self.authorization as [String: Any]
      members["description"] = ["payment": ["payee": "Shop", "amount": "12 EUR"], "text": "Buy"]
      func read() -> SEAuthorizationDataV2? {
        SEAuthorizationDataV2(members, id: "1", connectionId: "2", status: .pending)
      }
      let one = try #require(read())
      #expect(one.id == "1" && one.connectionId == "2" && one.status == .pending && one.apiVersion == "2")
      #expect((one.description["payment"] as? [String: String])?["payee"] == "Shop" && one == read())
      members["authorization_code"] = nil
      #expect(read()?.authorizationCode == nil && read() != one)
      members["description"] = "text"
      #expect(read() == nil)
      let closed = SEAuthorizationDataV2(id: "1", connectionId: "2", status: .closed)
      #expect(closed.title.isEmpty && closed.description.isEmpty && closed.createdAt == closed.expiresAt)
      #expect(closed.expiresAt.timeIntervalSince1970 == Device.now)
    }

    @Test("a consent is read; accounts without a name and rights that are no truth values are left out")
    func consent() throws {
      var members: [String: Any] = [
        "id": "within", "user_id": 3, "consent_type": "aisp", "tpp_name": "Example",
        "accounts": [
          ["name": "A", "iban": "NL02"], ["iban": "NL03"], ["name": "B", "account_number": "1", "sort_code": "2"],
        ],
        "shared_data": ["balance": true, "transactions": false], "created_at": "2026-11-21T06:00:00Z",
        "expires_at": "2027-02-19T06:00:00Z",
      ]
      let consent = try #require(SEConsentData(members, "outer", "333"))
      #expect(consent.id == "outer" && consent.connectionId == "333" && consent.userId == "3")
      #expect(consent.tppName == "Example" && consent.consentType == "aisp")
      #expect(consent.accounts.map(\.name) == ["A", "B"] && consent.accounts.map(\.iban) == ["NL02", nil])
      #expect(consent.accounts.last?.accountNumber == "1" && consent.accounts.last?.sortCode == "2")
      #expect(consent.sharedData == SEConsentSharedData(["balance": true, "transactions": false]))
      #expect(consent.sharedData?.balance == true && consent.sharedData?.transactions == false)
      #expect(SEConsentData(members, nil, "333")?.id == "within")
      members["shared_data"] = ["balance": "yes"]
      #expect(SEConsentData(members, nil, "333")?.sharedData == nil)
      members["shared_data"] = nil
      #expect(SEConsentData(members, nil, "333") != nil && SEAccount([:]) == nil)
      var nameless = members
      nameless["id"] = nil
      let unnamed = try #require(SEConsentData(nameless, nil, "333"))
      #expect(unnamed.id == nil && unnamed.tppName == "Example")
      for member in ["consent_type", "tpp_name", "accounts", "created_at", "expires_at"] {
        var incomplete = members
        incomplete[member] = nil
        #expect(SEConsentData(incomplete, nil, "333") == nil, "\(member)")
      }
    }

    @Test("the samples' decrypted texts are read", Samples.test("v1/messages.json"))
    func samples() throws {
      let file = try Samples.object("v1/messages.json")
      #expect(SEAuthorizationData(try #require(file["authorization_decrypted"] as? [String: Any])) != nil)
      let written = try #require(file["consent_decrypted"] as? [String: Any])
      let consent = try #require(SEConsentData(written, nil, "1"))
      #expect(consent.accounts.count == (written["accounts"] as? [Any])?.count)
    }

    @Test("the samples' answers are read", Samples.test("v1/messages.json"), Samples.test("v2/messages.json"))
    func answers() throws {
      let (v1, v2) = (try Samples.object("v1/messages.json"), try Samples.object("v2/messages.json"))
      let read = JSONDecoder()
      _ = try read.decode(SEProviderResponse.self, from: v1.bytes("configuration.response"))
      for sample in [
        "create_connection_redirect", "create_connection_instant_via_connect_url",
        "create_connection_instant_via_access_token",
      ] {
        let answer = try read.decode(SECreateConnectionResponse.self, from: v1.bytes("\(sample).response"))
        #expect(answer.connectUrl != nil || answer.accessToken != nil)
      }
      #expect(try read.decode(SERevokeConnectionResponse.self, from: v1.bytes("revoke_connection.response")).success)
      #expect(try read.decode(SEConfirmAuthorizationResponse.self, from: v1.bytes("confirm.response")).success)
      #expect(
        try read.decode(SESubmitActionResponse.self, from: v1.bytes("action.response_with_authorization"))
          .authorizationId != nil)
      #expect(try read.decode(SERevokeConsentResponse.self, from: v1.bytes("revoke_consent.response")).success)

      _ = try read.decode(SEProviderResponseV2.self, from: v2.bytes("configuration"))
      _ = try read.decode(SECreateConnectionResponseV2.self, from: v2.bytes("create_connection_response"))
      #expect(
        try read.decode(SEConfirmAuthorizationResponseV2.self, from: v2.bytes("confirm_or_deny_response")).status
          .isProcessing)
      #expect(
        try read.decode(SESubmitActionResponseV2.self, from: v2.bytes("instant_action.response")).authorizationId != nil
      )
      let consents = try read.decode(SEEncryptedListResponse.self, from: v2.bytes("consents_response"))
      #expect(!consents.data.isEmpty)
      _ = try read.decode(SERevokeConsentResponseV2.self, from: v2.bytes("revoke_consent.response"))
      _ = try read.decode(SERevokeConnectionResponseV2.self, from: v2.bytes("revoke_connection.response"))
    }

    @Test(
      "the public repository's valid answers are read and the invalid refused",
      Samples.test("repo-fixtures/ios/valid_provider_response.json"))
    func fixtures() throws {
      func check<Answer: Decodable>(_: Answer.Type, _ name: String, invalidName: String? = nil) throws {
        let folder = "repo-fixtures/ios/"
        let valid = try #require(Samples.data("\(folder)valid_\(name).json"))
        _ = try JSONDecoder().decode(Answer.self, from: valid)
        guard let invalid = Samples.data("\(folder)invalid_\(invalidName ?? name).json") else { return }
        #expect(throws: (any Error).self, "\(name)") { try JSONDecoder().decode(Answer.self, from: invalid) }
      }
      try check(SEProviderResponse.self, "provider_response")
      try check(SECreateConnectionResponse.self, "create_connection_data")
      try check(SEConfirmAuthorizationResponse.self, "confirm_authorization_data")
      try check(SESubmitActionResponse.self, "submit_action_data")
      try check(SEEncryptedDataResponse.self, "encrypted_authorization_data", invalidName: "encrypted_data_response")
      try check(SEEncryptedListResponse.self, "encrypted_authorizations_data", invalidName: "encrypted_data_response")
    }

    @Test("authorizations of v2 are read as the wire has them", Samples.test("v2/authorizations.json"))
    func authorizations() throws {
      _ = Device()
      let items = try #require(try Samples.object("v2/authorizations.json")["items"] as? [[String: Any]])
      #expect(!items.isEmpty)
      for item in items {
        let read = try JSONDecoder().decode(SEEncryptedAuthorizationData.self, from: item.bytes("wire"))
        guard let name = item["key"] as? String, let plaintext = item["plaintext"] as? String else {
          #expect(read.status.isFinal || read.status.isClosed)
          continue
        }
        #expect(SECryptoHelper.createKey(from: try Samples.key(name), isPublic: false, tag: name) != nil)
        let text = try SECryptoHelper.decrypt(read, tag: name)
        #expect(text == plaintext)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(
          SEAuthorizationDataV2(members, id: read.id, connectionId: read.connectionId ?? "", status: read.status) != nil
        )
      }
    }

    @Test("statuses are what the table says")
    func statuses() throws {
      let finals: Set<AuthorizationStatus> = [.confirmed, .denied, .error, .timeOut, .unavailable]
      let processing: Set<AuthorizationStatus> = [.processing, .confirmProcessing, .denyProcessing]
      for status in AuthorizationStatus.allCases {
        #expect(status.isFinal == finals.contains(status) && status.isProcessing == processing.contains(status))
        #expect(status.isClosed == (status == .closed))
        let read = try JSONDecoder().decode([AuthorizationStatus].self, from: Data("[\"\(status.rawValue)\"]".utf8))
        #expect(read == [status])
      }
      #expect(
        AuthorizationStatus.allCases.map(\.rawValue) == [
          "pending", "processing", "confirm_processing", "deny_processing", "confirmed", "denied", "error", "time_out",
          "unavailable", "closed",
        ])
    }
  }
}
