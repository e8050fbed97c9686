// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SEAuthenticatorV2
import SaltEdgeCore
import Testing

extension Published {
  @Suite("Published surface: calls of v2")
  struct V2CallTests {
    private static let path = "/prefix/api/authenticator/v2"
    private static let pending = #"{"id":100,"connection_id":"333","status":"pending","key":"a","iv":"b","data":"c"}"#

    private var base: URL { get throws { try #require(URL(string: Device.base)) } }
    private var request: SEBaseAuthenticatedRequestData {
      get throws { .init(url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "en") }
    }
    private var withID: SEBaseAuthenticatedWithIdRequestData {
      get throws {
        .init(url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "en", entityId: "333")
      }
    }

    /// The last request that was sent, and what its body says; signed unless it reads.
    @discardableResult
    private func sent(
      _ device: Device, _ method: String, _ path: String
    ) throws -> [String: Any] {
      let request = try #require(device.requests.last)
      #expect(request.method == method && request.url.absoluteString == "https://bank.example\(path)")
      #expect(request.headers["Access-Token"] == "token-1")
      guard method != "GET" else {
        #expect(request.body == nil && request.headers[DetachedJWS.header] == nil)
        return [:]
      }
      let body = try #require(request.body)
      try DetachedJWS.verify(
        request.headers[DetachedJWS.header], body: body,
        with: try #require(try Device.keys.get().first).publicKey, nowSeconds: Int64(Device.now))
      let members = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
      // Five minutes, and a second more for each before it.
      let expiry = try #require(members["exp"] as? Int) - Int(Device.now)
      #expect((300..<310).contains(expiry))
      return try #require(members["data"] as? [String: Any])
    }

    @Test("no two signed requests of an app are the same bytes, though they ask for the same at once")
    func unique() async throws {
      let path = "\(Self.path)/connections/333/revoke"
      let device = try Device.connected(["PUT \(path)": (200, #"{"data":{"connection_id":333}}"#)])
      for _ in 0..<3 { _ = try await SEConnectionManagerV2.revokeConnection(data: withID) }
      #expect(Set(device.requests.map(\.body)).count == 3)
      #expect(device.requests.allSatisfy { $0.deadline == .seconds(30) && $0.silenceMax == .seconds(20) })
      SEAuthenticatorPlatform.current.limits.silenceMax = .seconds(5)
      _ = try await SEConnectionManagerV2.revokeConnection(data: withID)
      #expect(device.requests.last?.silenceMax == .seconds(5))
    }

    @Test("the configuration is read, the bank's number as text")
    func configuration() async throws {
      _ = Device([
        "GET /c": (
          200,
          #"{"data":{"sca_service_url":"https://sca.example","api_version":"2","provider_id":17,"#
            + #""provider_name":"Demo","provider_support_email":"a@b.example","provider_public_key":"PEM"}}"#
        )
      ])
      let url = try #require(URL(string: "https://bank.example/c"))
      let provider = try await told { SEProviderManagerV2.fetchProviderData(url: url, onSuccess: $0, onFailure: $1) }
        .get()
      #expect(provider.baseUrl.absoluteString == "https://sca.example" && provider.providerId == "17")
      #expect(provider.name == "Demo" && provider.apiVersion == "2" && provider.publicKey == "PEM")
      #expect(provider.logoUrl == nil && provider.supportEmail == "a@b.example" && provider.geolocationRequired == nil)
      #expect(try await SEProviderManagerV2.fetchProviderData(url: url).providerId == "17")
    }

    @Test("connecting sends the device's key for the bank alone to read, and nothing of what is not there")
    func connect() async throws {
      let device = try Device.connected([
        "POST \(Self.path)/connections": (
          200, #"{"data":{"connection_id":333,"authentication_url":"https://bank.example/auth"}}"#
        )
      ])
      let pem = try #require(SECryptoHelper.publicKeyToPem(tag: SETagHelper.create(for: Device.guid)))
      let params = SECreateConnectionParams(
        providerId: "17", pushToken: "", connectQuery: nil,
        encryptedRsaPublicKey: try SECryptoHelper.encrypt(pem, tag: SETagHelper.provider(for: Device.guid)))
      let base = try base
      let answer = try await told {
        SEConnectionManagerV2.createConnection(
          by: base, params: params, appLanguage: "en", onSuccess: $0, onFailure: $1)
      }.get()
      #expect(answer.id == "333" && answer.authenticationUrl == "https://bank.example/auth")
      let request = try #require(device.requests.last)
      #expect(request.headers["Access-Token"] == nil && request.headers[DetachedJWS.header] == nil)
      let members = try JSONSerialization.jsonObject(with: try #require(request.body)) as? [String: [String: Any]]
      let content = try #require(members?["data"])
      #expect(Set(content.keys) == ["provider_id", "return_url", "platform", "enc_rsa_public_key"])
      let bundle = try #require(content["enc_rsa_public_key"] as? [String: String])
      let bank = try #require(try Device.keys.get().last)
      #expect(
        try EncryptedPayload(key: bundle["key"] ?? "", iv: bundle["iv"] ?? "", data: bundle["data"] ?? "")
          .decrypted(with: bank) == pem)
      #expect(
        try await SEConnectionManagerV2.createConnection(by: base, params: params, appLanguage: "en").id == "333")
    }

    @Test("authorizations are listed, also those of an action; an unknown status does not spoil the list")
    func list() async throws {
      let device = try Device.connected([
        "GET \(Self.path)/authorizations": (
          200,
          #"{"data":[\#(Self.pending),{"id":101,"connection_id":333,"status":"new_word","key":"","iv":"","data":""},"#
            + #"{"id":102,"connection_id":333,"status":"time_out","key":"","iv":"","data":"","finished_at":"x"}]}"#
        )
      ])
      let request = try request
      let list = try await told {
        SEAuthorizationManagerV2.getEncryptedAuthorizations(data: request, onSuccess: $0, onFailure: $1)
      }.get().data
      #expect(list.map(\.id) == ["100", "101", "102"] && list.map(\.entityId) == ["100", "101", "102"])
      #expect(list.map(\.status) == [.pending, .processing, .timeOut])
      #expect(list.map(\.connectionId) == ["333", "333", "333"])
      try sent(device, "GET", "\(Self.path)/authorizations")
      _ = try await SEAuthorizationManagerV2.getEncryptedAuthorizations(data: request, actionId: "a/1")
      try sent(device, "GET", "\(Self.path)/authorizations?action_id=a%2F1")
    }

    @Test("one authorization is shown")
    func show() async throws {
      let device = try Device.connected(["GET \(Self.path)/authorizations/333": (200, #"{"data":\#(Self.pending)}"#)])
      let withID = try withID
      let one = try await told {
        SEAuthorizationManagerV2.getEncryptedAuthorization(data: withID, onSuccess: $0, onFailure: $1)
      }.get().data
      #expect(one.id == "100" && one.status == .pending)
      try sent(device, "GET", "\(Self.path)/authorizations/333")
      #expect(try await SEAuthorizationManagerV2.getEncryptedAuthorization(data: withID).data == one)
    }

    @Test("a decision is for the bank alone to read", arguments: [true, false])
    func decide(confirms: Bool) async throws {
      let end = confirms ? "confirm" : "deny"
      let device = try Device.connected([
        "PUT \(Self.path)/authorizations/100/\(end)": (200, #"{"data":{"id":"100","status":"\#(end)_processing"}}"#)
      ])
      let decision = SEConfirmAuthorizationRequestData(
        url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "en", authorizationId: "100",
        authorizationCode: "code", geolocation: nil, authorizationType: "biometrics")
      let answer = try await told {
        confirms
          ? SEAuthorizationManagerV2.confirmAuthorization(data: decision, onSuccess: $0, onFailure: $1)
          : SEAuthorizationManagerV2.denyAuthorization(data: decision, onSuccess: $0, onFailure: $1)
      }.get()
      #expect(answer.id == "100" && answer.status == (confirms ? .confirmProcessing : .denyProcessing))
      let sealed = try #require(
        try sent(device, "PUT", "\(Self.path)/authorizations/100/\(end)") as? [String: String])
      let bank = try #require(try Device.keys.get().last)
      let text = try EncryptedPayload(key: sealed["key"] ?? "", iv: sealed["iv"] ?? "", data: sealed["data"] ?? "")
        .decrypted(with: bank)
      #expect(text == #"{"authorization_code":"code","user_authorization_type":"biometrics"}"#)
      let again =
        confirms
        ? try await SEAuthorizationManagerV2.confirmAuthorization(data: decision)
        : try await SEAuthorizationManagerV2.denyAuthorization(data: decision)
      #expect(again.status.isProcessing)
    }

    @Test("an action is submitted, for ids that are texts or numbers in the answer")
    func action() async throws {
      let device = try Device.connected([
        "POST \(Self.path)/authorizations": (200, #"{"data":{"connection_id":"333","authorization_id":100}}"#)
      ])
      let data = SEActionRequestDataV2(
        url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "en", providerId: "17",
        actionId: "77", connectionId: "333")
      let answer = try await told { SEActionManagerV2.submitAction(data: data, onSuccess: $0, onFailure: $1) }.get()
      #expect(answer.connectionId == "333" && answer.authorizationId == "100")
      let content = try sent(device, "POST", "\(Self.path)/authorizations") as? [String: String]
      #expect(content == ["provider_id": "17", "action_id": "77", "connection_id": "333"])
      #expect(try await SEActionManagerV2.submitAction(data: data).authorizationId == "100")
    }

    @Test("consents are listed and revoked")
    func consents() async throws {
      let device = try Device.connected([
        "GET \(Self.path)/consents": (200, #"{"data":[{"id":"5","connection_id":333,"key":"a","iv":"b","data":"c"}]}"#),
        "PUT \(Self.path)/consents/333/revoke": (200, #"{"data":{"id":333}}"#),
      ])
      let (request, withID) = (try request, try withID)
      let list = await told { SEConsentManagerV2.getEncryptedConsents(data: request, onSuccess: $0, onFailure: $1) }
      #expect(try list.get().data.map(\.entityId) == ["5"] && list.get().data.map(\.connectionId) == ["333"])
      try sent(device, "GET", "\(Self.path)/consents")
      let revoked = await told { SEConsentManagerV2.revokeConsent(data: withID, onSuccess: $0, onFailure: $1) }
      #expect(try revoked.get().id == "333")
      #expect(try sent(device, "PUT", "\(Self.path)/consents/333/revoke").isEmpty)
      #expect(try await SEConsentManagerV2.getEncryptedConsents(data: request).data.count == 1)
      #expect(try await SEConsentManagerV2.revokeConsent(data: withID).id == "333")
    }

    @Test("a connection is shown, told another push token, and revoked")
    func connection() async throws {
      let device = try Device.connected([
        "GET \(Self.path)/connections/333": (
          200, #"{"data":{"id":333,"status":"valid","push_token":"p","created_at":"2026-11-21T06:00:00Z"}}"#
        ),
        "PATCH \(Self.path)/connections/333/update": (200, #"{"data":{"connection_id":"333"}}"#),
        "PUT \(Self.path)/connections/333/revoke": (200, #"{"data":{"connection_id":333}}"#),
      ])
      let withID = try withID
      let shown = try await told { SEConnectionManagerV2.showConnection(data: withID, onSuccess: $0, onFailure: $1) }
        .get()
      #expect(shown.id == "333" && shown.status == "valid" && shown.pushToken == "p" && shown.publicKey == nil)
      #expect(shown.createdAt == "2026-11-21T06:00:00Z")
      try sent(device, "GET", "\(Self.path)/connections/333")
      let updated = await told {
        SEConnectionManagerV2.updateConnection(data: withID, pushToken: "q", onSuccess: $0, onFailure: $1)
      }
      #expect(try updated.get().connectionId == "333")
      #expect(
        try sent(device, "PATCH", "\(Self.path)/connections/333/update") as? [String: String] == ["push_token": "q"])
      let revoked = await told { SEConnectionManagerV2.revokeConnection(data: withID, onSuccess: $0, onFailure: $1) }
      #expect(try revoked.get().connectionId == "333")
      #expect(try sent(device, "PUT", "\(Self.path)/connections/333/revoke").isEmpty)
      #expect(try await SEConnectionManagerV2.showConnection(data: withID).status == "valid")
      #expect(try await SEConnectionManagerV2.updateConnection(data: withID, pushToken: "q").connectionId == "333")
      #expect(try await SEConnectionManagerV2.revokeConnection(data: withID).connectionId == "333")
    }

    @Test("an app's own signed request carries a signature of the bytes that are sent, or does not come about")
    func headers() throws {
      let device = try Device.connected()
      let body: [String: Any] = ["data": ["push_token": "a/b"], "exp": Int(Device.now) + 300]
      let headers = try Headers.signedRequestHeaders(
        token: "token-1", payloadParams: body, connectionGuid: Device.guid)
      #expect(headers["Access-Token"] == "token-1" && headers["Accept-Language"] == "en")
      try DetachedJWS.verify(
        headers[DetachedJWS.header], body: try #require(ParametersSerializer.createBody(parameters: body)),
        with: try #require(try Device.keys.get().first).publicKey, nowSeconds: Int64(Device.now))
      #expect(Headers.authorizedRequestHeaders(token: "t").count == 4)
      #expect(Headers.authorizedRequestHeaders(token: "t", appLanguage: "fr")["Accept-Language"] == "fr")
      #expect(Headers.requestHeaders(with: "de")["Accept-Language"] == "de")
      #expect(throws: SEAuthenticatorError.self) {
        try Headers.signedRequestHeaders(token: "t", payloadParams: body, connectionGuid: "other")
      }
      #expect(throws: SEAuthenticatorError.self) {
        try Headers.signedRequestHeaders(token: "t", payloadParams: ["a": Date.now], connectionGuid: Device.guid)
      }
      #expect(device.requests.isEmpty)
    }

    @Test("an app can seal a decision itself, when the bank's key is there")
    func sealed() throws {
      _ = try Device.connected()
      func data(_ guid: GUID) -> SEAuthorizationRequestData {
        SEAuthorizationRequestData(
          id: "1", authorizationCode: "code", userAuthorizationType: "passcode", geolocation: "GEO:1;2",
          connectionGuid: guid)
      }
      let sealed = try #require(data(Device.guid).encryptedData)
      let bank = try #require(try Device.keys.get().last)
      let text = try EncryptedPayload(key: sealed.key, iv: sealed.iv, data: sealed.data).decrypted(with: bank)
      #expect(text.contains(#""geolocation":"GEO:1;2""#))
      #expect(data("other").encryptedData == nil)
    }
  }
}
