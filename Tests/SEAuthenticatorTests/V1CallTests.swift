// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SEAuthenticator
import SaltEdgeCore
import Testing

extension Published {
  @Suite("Published surface: calls of v1")
  struct V1CallTests {
    private static let path = "/prefix/api/authenticator/v1"
    private static let entity = #"{"id":7,"connection_id":"3","algorithm":"AES-256-CBC","key":"a","iv":"b","data":"c"}"#

    private var base: URL { get throws { try #require(URL(string: Device.base)) } }
    private var request: SEBaseAuthenticatedRequestData {
      get throws { .init(url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "de") }
    }
    private var withID: SEBaseAuthenticatedWithIdRequestData {
      get throws {
        .init(url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "de", entityId: "7")
      }
    }
    private var decision: SEConfirmAuthorizationRequestData {
      get throws {
        .init(
          url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "de", authorizationId: "7",
          authorizationCode: "code", geolocation: "GEO:52.506931;13.144558", authorizationType: "passcode")
      }
    }

    /// The one request that was sent, its signature checked.
    private func sent(_ device: Device, _ method: String, _ path: String) throws -> TransportRequest {
      #expect(device.requests.count == 1)
      let request = try #require(device.requests.first)
      #expect(request.method == method && request.url.absoluteString == "https://bank.example\(path)")
      #expect(request.headers["Accept-Language"] == "de" && request.headers["User-Agent"] == "Test")
      guard let token = request.headers["Access-Token"] else { return request }
      #expect(token == "token-1" && request.headers["Expires-At"] == "1795241100")
      try SignedRequest(
        method: method, url: request.url.absoluteString, expiresAt: request.headers["Expires-At"],
        body: request.body ?? Data()
      ).verify(
        request.headers["Signature"], with: try #require(try Device.keys.get().first).publicKey,
        nowSeconds: Int64(Device.now))
      return request
    }

    @Test("the configuration is read")
    func configuration() async throws {
      let device = Device([
        "GET /c": (
          200,
          #"{"data":{"connect_url":"https://a.example","code":"demo","name":"Demo","support_email":"a@b.example","#
            + #""geolocation_required":true,"version":"1"}}"#
        )
      ])
      let url = try #require(URL(string: "https://bank.example/c"))
      let provider = try await told { SEProviderManager.fetchProviderData(url: url, onSuccess: $0, onFailure: $1) }
        .get()
      #expect(provider.baseUrl.absoluteString == "https://a.example" && provider.logoUrl == nil)
      #expect(provider.name == "Demo" && provider.code == "demo" && provider.version == "1")
      #expect(provider.supportEmail == "a@b.example" && provider.geolocationRequired == true)
      #expect(try await SEProviderManager.fetchProviderData(url: url).code == "demo")
      #expect(device.requests.allSatisfy { $0.headers["Access-Token"] == nil })
    }

    @Test("a bank that names no address for help says everything else")
    func withoutSupportEmail() async throws {
      _ = Device([
        "GET /c": (200, #"{"data":{"connect_url":"https://a.example","code":"demo","name":"Demo","version":"1"}}"#)
      ])
      let url = try #require(URL(string: "https://bank.example/c"))
      let provider = try await SEProviderManager.fetchProviderData(url: url)
      #expect(provider.supportEmail.isEmpty && provider.name == "Demo")
    }

    @Test("connecting sends the public key of a new pair, unsigned; a missing push token is empty")
    func connect() async throws {
      let device = Device([
        "POST \(Self.path)/connections": (200, #"{"data":{"id":333,"connect_url":"https://bank.example/auth"}}"#)
      ])
      let tag = SETagHelper.create(for: Device.guid)
      let data = try #require(SECreateConnectionRequestData(code: "demo", tag: Device.guid))
      #expect(data.providerCode == "demo" && data.publicKey == SECryptoHelper.publicKeyToPem(tag: tag))
      let base = try base
      let answer = try await told {
        SEConnectionManager.createConnection(
          by: base, data: data, pushToken: nil, appLanguage: "de", onSuccess: $0, onFailure: $1)
      }.get()
      #expect(answer.id == "333" && answer.connectUrl == "https://bank.example/auth" && answer.accessToken == nil)
      let request = try sent(device, "POST", "\(Self.path)/connections")
      #expect(request.headers["Access-Token"] == nil && request.headers["Signature"] == nil)
      let body = try JSONSerialization.jsonObject(with: try #require(request.body)) as? [String: [String: String]]
      #expect(
        body == [
          "data": [
            "public_key": data.publicKey, "return_url": "authenticator://oauth/redirect", "platform": "ios",
            "push_token": "", "provider_code": "demo",
          ]
        ])
      _ = try await SEConnectionManager.createConnection(
        by: base, data: data, pushToken: "push", connectQuery: "query", appLanguage: "de")
      let second = String(decoding: try #require(device.requests.last?.body), as: UTF8.self)
      #expect(second.contains(#""push_token":"push""#) && second.contains(#""connect_query":"query""#))
    }

    @Test("authorizations are listed; one that cannot be read spoils none of the others")
    func list() async throws {
      let device = try Device.connected([
        "GET \(Self.path)/authorizations": (200, #"{"data":[\#(Self.entity),{"id":1},17]}"#)
      ])
      let request = try request
      let list = try await told {
        SEAuthorizationManager.getEncryptedAuthorizations(data: request, onSuccess: $0, onFailure: $1)
      }.get()
      #expect(list.data == [SEEncryptedData(data: "c", key: "a", iv: "b", connectionId: "3")])
      #expect(list.data.first?.entityId == "7")
      _ = try sent(device, "GET", "\(Self.path)/authorizations")
      #expect(try await SEAuthorizationManager.getEncryptedAuthorizations(data: request).data == list.data)
    }

    @Test("one authorization is shown")
    func show() async throws {
      let device = try Device.connected(["GET \(Self.path)/authorizations/7": (200, #"{"data":\#(Self.entity)}"#)])
      let withID = try withID
      let one = try await told {
        SEAuthorizationManager.getEncryptedAuthorization(data: withID, onSuccess: $0, onFailure: $1)
      }.get()
      #expect(one.data.entityId == "7")
      _ = try sent(device, "GET", "\(Self.path)/authorizations/7")
      #expect(try await SEAuthorizationManager.getEncryptedAuthorization(data: withID).data == one.data)
    }

    @Test(
      "a decision is sent with the code, the place and how the customer proved themselves", arguments: [true, false])
    func decide(confirms: Bool) async throws {
      let device = try Device.connected([
        "PUT \(Self.path)/authorizations/7": (200, #"{"data":{"success":true,"id":7}}"#)
      ])
      let decision = try decision
      let answer = try await told {
        confirms
          ? SEAuthorizationManager.confirmAuthorization(data: decision, onSuccess: $0, onFailure: $1)
          : SEAuthorizationManager.denyAuthorization(data: decision, onSuccess: $0, onFailure: $1)
      }.get()
      #expect(answer.id == "7" && answer.success)
      let request = try sent(device, "PUT", "\(Self.path)/authorizations/7")
      #expect(request.headers["GEO-Location"] == "GEO:52.506931;13.144558")
      #expect(request.headers["Authorization-Type"] == "passcode")
      let text = String(decoding: try #require(request.body), as: UTF8.self)
      #expect(text == #"{"data":{"authorization_code":"code","confirm":\#(confirms)}}"#)
      let again =
        confirms
        ? try await SEAuthorizationManager.confirmAuthorization(data: decision)
        : try await SEAuthorizationManager.denyAuthorization(data: decision)
      #expect(again.success)
    }

    @Test("an action is submitted")
    func action() async throws {
      let device = try Device.connected([
        "PUT \(Self.path)/actions/a-1": (200, #"{"data":{"success":true,"authorization_id":9,"connection_id":"3"}}"#)
      ])
      let data = SEActionRequestData(
        url: try base, connectionGuid: Device.guid, accessToken: "token-1", appLanguage: "de", guid: "a-1")
      let answer = try await told { SEActionManager.submitAction(data: data, onSuccess: $0, onFailure: $1) }.get()
      let named: any SEBaseActionResponse = answer
      #expect(answer.success && named.authorizationId == "9" && named.connectionId == "3")
      _ = try sent(device, "PUT", "\(Self.path)/actions/a-1")
      #expect(try await SEActionManager.submitAction(data: data).success)
    }

    @Test("consents are listed and revoked")
    func consents() async throws {
      let device = try Device.connected([
        "GET \(Self.path)/consents": (200, #"{"data":[\#(Self.entity)]}"#),
        "DELETE \(Self.path)/consents/7": (200, #"{"data":{"success":true,"consent_id":7}}"#),
      ])
      let (request, withID) = (try request, try withID)
      let list = await told { SEConsentManager.getEncryptedConsents(data: request, onSuccess: $0, onFailure: $1) }
      #expect(try list.get().data.map(\.entityId) == ["7"])
      _ = try sent(device, "GET", "\(Self.path)/consents")
      let revoked = try await told { SEConsentManager.revokeConsent(data: withID, onSuccess: $0, onFailure: $1) }.get()
      #expect(revoked.success && revoked.consentId == "7")
      #expect(try await SEConsentManager.getEncryptedConsents(data: request).data.count == 1)
      #expect(try await SEConsentManager.revokeConsent(data: withID).success)
    }

    @Test("a connection is revoked")
    func revoke() async throws {
      let device = try Device.connected([
        "DELETE \(Self.path)/connections": (200, #"{"data":{"success":true,"access_token":"token-1"}}"#)
      ])
      let withID = try withID
      let answer = await told { SEConnectionManager.revokeConnection(data: withID, onSuccess: $0, onFailure: $1) }
      #expect(try answer.get().success)
      _ = try sent(device, "DELETE", "\(Self.path)/connections")
      #expect(try await SEConnectionManager.revokeConnection(data: withID).success)
    }
  }
}
