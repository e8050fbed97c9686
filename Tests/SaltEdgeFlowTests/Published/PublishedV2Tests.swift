// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeFlow
import SaltEdgeWire
import SEAuthenticator
import SEAuthenticatorV2
import Testing

extension PublishedTests {
  @Suite("Salt Edge: the published SDK of v2 on the service")
  struct V2 {
    typealias Opened = ProviderAPITests.Opened
    typealias Operation = ProviderAPITests.Operation

    /// Keys made and exchanged; signing in is the caller's.
    private func create(
      _ app: SaltEdgeTestApp, _ configuration: URL, connectQuery: ConnectQuery?
    ) async throws -> (guid: GUID, provider: SEProviderResponseV2, created: SECreateConnectionResponseV2) {
      try PublishedPhone.use(app)
      let provider = try await told {
        SEProviderManagerV2.fetchProviderData(url: configuration, onSuccess: $0, onFailure: $1)
      }
      let guid = UUID().uuidString
      let tag = SETagHelper.create(for: guid)
      let bankTag = "\(guid)_provider_public_key"
      #expect(SETagHelper.provider(for: guid) == bankTag)
      #expect(SECryptoHelper.createKeyPair(with: tag) != nil)
      #expect(SECryptoHelper.createKey(from: provider.publicKey, isPublic: true, tag: bankTag) != nil)
      let pem = try #require(SECryptoHelper.publicKeyToPem(tag: tag))
      let params = SECreateConnectionParams(
        providerId: provider.providerId, pushToken: "push-1", connectQuery: connectQuery,
        encryptedRsaPublicKey: try SECryptoHelper.encrypt(pem, tag: bankTag))
      let created = try await told {
        SEConnectionManagerV2.createConnection(
          by: provider.baseUrl, params: params, appLanguage: "en", onSuccess: $0, onFailure: $1)
      }
      return (guid, provider, created)
    }

    /// Connected at once, by a link that names the customer.
    private func connect(_ app: SaltEdgeTestApp) async throws -> PublishedPhone {
      let link = try await PublishedPhone.link(app, version: 2)
      #expect(SEConnectHelper.isValid(deepLinkUrl: link) && SEConnectHelper.apiVersion(from: link) == "2")
      let (guid, provider, created) = try await create(
        app, try #require(SEConnectHelper.configuration(from: link)),
        connectQuery: SEConnectHelper.connectQuery(from: link))
      let end = try #require(URL(string: created.authenticationUrl))
      guard case .succeeded(let sealed) = SERedirectHandler().decision(for: end) else {
        throw Refused(word: "no token")
      }
      let text = try SECryptoHelper.decrypt(key: sealed, tag: SETagHelper.create(for: guid))
      let members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
      return PublishedPhone(
        app: app, guid: guid, base: provider.baseUrl, connection: created.id,
        token: try #require(members?[SENetKeys.accessToken]))
    }

    private func list(_ phone: PublishedPhone) async throws -> [SEEncryptedAuthorizationData] {
      let request = phone.request
      return try await told {
        SEAuthorizationManagerV2.getEncryptedAuthorizations(data: request, onSuccess: $0, onFailure: $1)
      }.data
    }

    private func content(_ entity: SEEncryptedAuthorizationData, _ phone: PublishedPhone) throws
      -> SEAuthorizationDataV2
    {
      try #require(
        SEAuthorizationDataV2(
          try phone.members(entity), id: entity.id, connectionId: entity.connectionId ?? "", status: entity.status))
    }

    @Test("as the read-me tells: connect by QR code, list, confirm, deny, revoke")
    func journey() async throws {
      try await SaltEdgeTestApp.run(over: .live) { app in
        let phone = try await connect(app)
        #expect(try await list(phone).isEmpty)

        let opened: Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment).view()
        let entity = try #require(try await list(phone).first)
        let shown = try content(entity, phone)
        #expect(shown.status == .pending && shown.connectionId == phone.connection && shown.apiVersion == "2")
        #expect((shown.description[SENetKeys.payment] as? [String: String])?[SENetKeys.amount] == "12.50 EUR")
        let decision = phone.decision(shown.id, code: shown.authorizationCode)
        let confirmed = try await told {
          SEAuthorizationManagerV2.confirmAuthorization(data: decision, onSuccess: $0, onFailure: $1)
        }
        #expect(confirmed.id == shown.id && (confirmed.status.isProcessing || confirmed.status.isFinal))
        try await app.settle()
        let about = phone.about(shown.id)
        let final = try await told {
          SEAuthorizationManagerV2.getEncryptedAuthorization(data: about, onSuccess: $0, onFailure: $1)
        }.data
        #expect(final.status == .confirmed && final.key.isEmpty)
        #expect(throws: SEAesCipherError.noKeyProvided) { try phone.members(final) }
        var operation: Operation = try await app.api(.get, "authorizations/\(opened.authorization.id)").view()
        #expect(operation.state == "confirmed" && operation.authorization_type == "passcode")

        let second: Opened = try await app.api(
          .post, "authorizations", #"{"reference":"o-2","user_id":"u-1","title":"Login"}"#
        ).view()
        let other = try content(try #require(try await list(phone).first { $0.status == .pending }), phone)
        let no = phone.decision(other.id, code: other.authorizationCode)
        let denied = try await told {
          SEAuthorizationManagerV2.denyAuthorization(data: no, onSuccess: $0, onFailure: $1)
        }
        #expect(denied.id == other.id)
        try await app.settle()
        operation = try await app.api(.get, "authorizations/\(second.authorization.id)").view()
        #expect(operation.state == "denied")

        let own = phone.about(phone.connection)
        let revoked = try await told {
          SEConnectionManagerV2.revokeConnection(data: own, onSuccess: $0, onFailure: $1)
        }
        #expect(revoked.connectionId == phone.connection)
        await #expect(throws: Refused(word: "ConnectionRevoked")) { try await list(phone) }
        #expect(SECryptoHelper.deleteKeyPair(with: phone.tag))
        try await app.settle()
      }
    }

    @Test("the bank's server reads the device's key and its decision, and the service passes them on unread")
    func remoteBank() async throws {
      try await SaltEdgeTestApp.run(over: .live) { app in
        let configuration = try #require(
          URL(string: "\(SaltEdgeTestApp.address)/api/authenticator/v2/configurations/\(app.remote.id)"))
        let (guid, provider, created) = try await create(app, configuration, connectQuery: nil)
        #expect(created.authenticationUrl.hasPrefix("https://bank.example/auth"))
        let pem = try #require(SECryptoHelper.publicKeyToPem(tag: SETagHelper.create(for: guid)))
        #expect(app.bank.deviceKey(created.id)?.pem == pem)
        let token = "token-of-\(created.id)"
        let heard = try await app.bankCalls(
          .put, "connections/\(created.id)/success_authentication",
          SaltEdgeBank.Authenticated(userID: .init("u-1"), accessToken: token, publicKey: pem))
        #expect(heard.json == #"{"data":{}}"#)
        let phone = PublishedPhone(
          app: app, guid: guid, base: provider.baseUrl, connection: created.id, token: token)

        app.bank.expect("instant", on: "77")
        let submitted = try await SEActionManagerV2.submitAction(
          data: SEActionRequestDataV2(
            url: phone.base, connectionGuid: guid, accessToken: phone.token, appLanguage: "en",
            providerId: provider.providerId, actionId: "77", connectionId: phone.connection))
        #expect(submitted.connectionId == phone.connection)
        let id = try #require(submitted.authorizationId)
        let listed = try await SEAuthorizationManagerV2.getEncryptedAuthorizations(data: phone.request, actionId: "77")
        #expect(listed.data.map(\.id) == [id])
        let none = try await SEAuthorizationManagerV2.getEncryptedAuthorizations(data: phone.request, actionId: "78")
        #expect(none.data.isEmpty)
        let shown = try content(try #require(listed.data.first), phone)
        _ = try await SEAuthorizationManagerV2.confirmAuthorization(
          data: phone.decision(id, code: shown.authorizationCode))
        try await app.settle()
        #expect(app.bank.paths.contains("PUT actions/77/confirm"))
        let decided = try await SEAuthorizationManagerV2.getEncryptedAuthorization(data: phone.about(id))
        #expect(decided.data.status == .confirmed)
      }
    }

    @Test("a connection is shown, gets another push token, and its consents are listed and taken back")
    func connection() async throws {
      try await SaltEdgeTestApp.run(over: .live) { app in
        let phone = try await connect(app)
        let own = phone.about(phone.connection)
        let updated = try await SEConnectionManagerV2.updateConnection(data: own, pushToken: "push-2")
        #expect(updated.connectionId == phone.connection)
        let connection = try await SEConnectionManagerV2.showConnection(data: own)
        #expect(connection.id == phone.connection && connection.status == "valid" && connection.pushToken == "push-2")
        #expect(connection.publicKey == SECryptoHelper.publicKeyToPem(tag: phone.tag))
        let consent =
          #"{"reference":"c-1","user_id":"u-1","consent_type":"aisp","tpp_name":"TPP","accounts":[{"name":"Checking"}],"#
          + #""expires_at":"2027-01-01T00:00:00Z"}"#
        _ = try await app.api(.post, "consents", consent)
        let entity = try #require(try await SEConsentManagerV2.getEncryptedConsents(data: phone.request).data.first)
        let read = try #require(SEConsentData(try phone.members(entity), entity.entityId, phone.connection))
        let id = try #require(read.id)
        #expect(try await SEConsentManagerV2.revokeConsent(data: phone.about(id)).id == id)
        #expect(try await SEConsentManagerV2.getEncryptedConsents(data: phone.request).data.isEmpty)
        try await app.settle()
      }
    }

    @Test("an app's own signed request is believed by the service")
    func ownRequest() async throws {
      try await SaltEdgeTestApp.run(over: .live) { app in
        let phone = try await connect(app)
        struct Update: Routable {
          // PATCH is not among the published methods, so the app revokes.
          let method = HTTPMethod.put
          let encoding = Encoding.json
          let url: URL
          let headers: [String: String]?
          let parameters: [String: Any]?
        }
        let path = SENetPathBuilder(for: .connections, version: 2).path
        let body: [String: Any] = ["data": [:] as [String: Any], "exp": Int(app.clock.now.seconds) + 300]
        let update = Update(
          url: phone.base.appending(path: "\(path)/\(phone.connection)/revoke"),
          headers: try Headers.signedRequestHeaders(
            token: phone.token, payloadParams: body, connectionGuid: phone.guid),
          parameters: body)
        let answer = try await HTTPService<SERevokeConnectionResponseV2>.makeRequest(update)
        #expect(answer.connectionId == phone.connection)
        await #expect(throws: Refused(word: "ConnectionRevoked")) { try await list(phone) }
        try await app.settle()
      }
    }
  }
}
