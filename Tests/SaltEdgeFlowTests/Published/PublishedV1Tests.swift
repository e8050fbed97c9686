// SPDX-License-Identifier: Apache-2.0

import Foundation
import SEAuthenticator
import SaltEdgeFlow
import Testing

/// The platform of the published calls is one for the app: one suite after the other.
@Suite("Salt Edge: the published SDKs on the service", .serialized)
enum PublishedTests {}

extension PublishedTests {
  @Suite("Salt Edge: the published SDK of v1 on the service")
  struct V1 {
    typealias Opened = ProviderAPITests.Opened
    typealias Operation = ProviderAPITests.Operation

    /// Connected at the bank's sign-in page.
    private func connect(_ app: SaltEdgeTestApp) async throws -> PublishedPhone {
      try PublishedPhone.use(app)
      let link = try await PublishedPhone.link(app, version: 1)
      #expect(SEConnectHelper.isValid(deepLinkUrl: link) && SEConnectHelper.apiVersion(from: link) == "1")
      let configuration = try #require(SEConnectHelper.configuration(from: link))
      let provider = try await told {
        SEProviderManager.fetchProviderData(url: configuration, onSuccess: $0, onFailure: $1)
      }
      #expect(provider.name == "Hosted Bank" && provider.version == "1")
      let guid = UUID().uuidString
      // The guid alone, as the published read-me and the published app give it.
      let data = try #require(SECreateConnectionRequestData(code: provider.code, tag: guid))
      // Without the query: the customer signs in.
      let created = try await told {
        SEConnectionManager.createConnection(
          by: provider.baseUrl, data: data, pushToken: "push-1", appLanguage: "en", onSuccess: $0, onFailure: $1)
      }
      #expect(created.accessToken == nil)
      let page = try #require(created.connectUrl.flatMap { URL(string: $0) })
      let handler = SERedirectHandler()
      #expect(handler.decision(for: page) == .proceed)
      struct Redirect: Decodable { let redirect_url: String }
      let redirect: Redirect = try await app.api(
        .post, "sessions/authenticate",
        #"{"session":"\#(page.queryItem(for: "session") ?? "")","user_id":"u-1"}"#
      ).view()
      guard case .succeeded(let token) = handler.decision(for: try #require(URL(string: redirect.redirect_url))) else {
        throw Refused(word: "no token")
      }
      return PublishedPhone(
        app: app, guid: guid, base: provider.baseUrl, connection: created.id, token: token)
    }

    private func waiting(_ phone: PublishedPhone) async throws -> SEAuthorizationData? {
      let request = phone.request
      let list = try await told {
        SEAuthorizationManager.getEncryptedAuthorizations(data: request, onSuccess: $0, onFailure: $1)
      }
      return try list.data.first.flatMap { SEAuthorizationData(try phone.members($0)) }
    }

    @Test("as the read-me tells: connect by QR code, list, confirm, deny, revoke")
    func journey() async throws {
      try await SaltEdgeTestApp.run(over: .live) { app in
        let phone = try await connect(app)
        #expect(try await waiting(phone) == nil)

        let opened: Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment).view()
        let shown = try #require(try await waiting(phone))
        #expect(shown.title == "Payment" && shown.description.contains("12.50 EUR"))
        #expect(shown.connectionId == phone.connection && shown.apiVersion == "1")
        #expect(shown.createdAt < shown.expiresAt)
        // What a push leads to.
        let about = phone.about(shown.id)
        let single = try await told {
          SEAuthorizationManager.getEncryptedAuthorization(data: about, onSuccess: $0, onFailure: $1)
        }
        #expect(try SEAuthorizationData(phone.members(single.data)) == shown)

        let wrong = phone.decision(shown.id, code: "wrong")
        #expect(
          try await told { SEAuthorizationManager.confirmAuthorization(data: wrong, onSuccess: $0, onFailure: $1) }
            .success == false)
        let right = phone.decision(shown.id, code: shown.authorizationCode)
        let confirmed = try await told {
          SEAuthorizationManager.confirmAuthorization(data: right, onSuccess: $0, onFailure: $1)
        }
        #expect(confirmed.success && confirmed.id == shown.id)
        var operation: Operation = try await app.api(.get, "authorizations/\(opened.authorization.id)").view()
        #expect(operation.state == "confirmed" && operation.authorization_type == "passcode")
        await #expect(throws: Refused(word: "AuthorizationNotFound")) {
          try await told { SEAuthorizationManager.confirmAuthorization(data: right, onSuccess: $0, onFailure: $1) }
        }

        let second: Opened = try await app.api(
          .post, "authorizations", #"{"reference":"o-2","user_id":"u-1","title":"Login"}"#
        ).view()
        let other = try #require(try await waiting(phone))
        let no = phone.decision(other.id, code: other.authorizationCode)
        #expect(
          try await told { SEAuthorizationManager.denyAuthorization(data: no, onSuccess: $0, onFailure: $1) }.success)
        operation = try await app.api(.get, "authorizations/\(second.authorization.id)").view()
        #expect(operation.state == "denied")

        let own = phone.about(phone.connection)
        #expect(
          try await told { SEConnectionManager.revokeConnection(data: own, onSuccess: $0, onFailure: $1) }.success)
        let request = phone.request
        await #expect(throws: Refused(word: "ConnectionNotFound")) {
          try await told {
            SEAuthorizationManager.getEncryptedAuthorizations(data: request, onSuccess: $0, onFailure: $1)
          }
        }
        #expect(SECryptoHelper.deleteKeyPair(with: phone.tag))
        try await app.settle()
      }
    }

    @Test("a link that names the customer connects at once, an action of a QR code is picked up, a consent taken back")
    func actions() async throws {
      try await SaltEdgeTestApp.run(over: .live) { app in
        try PublishedPhone.use(app)
        let link = try await PublishedPhone.link(app, version: 1)
        let provider = try await SEProviderManager.fetchProviderData(
          url: try #require(SEConnectHelper.configuration(from: link)))
        let guid = UUID().uuidString
        let created = try await SEConnectionManager.createConnection(
          by: provider.baseUrl,
          data: try #require(SECreateConnectionRequestData(code: provider.code, tag: guid)),
          pushToken: nil, connectQuery: SEConnectHelper.connectQuery(from: link), appLanguage: "en")
        let phone = PublishedPhone(
          app: app, guid: guid, base: provider.baseUrl, connection: created.id,
          token: try #require(created.accessToken))

        let opened: Opened = try await app.api(.post, "authorizations", #"{"reference":"qr","title":"Pay here"}"#)
          .view()
        let action = try #require(opened.link_v1.flatMap { URL(string: $0) })
        #expect(SEConnectHelper.shouldStartInstantActionFlow(url: action))
        #expect(SEConnectHelper.connectUrl(from: action) == provider.baseUrl)
        let submitted = try await SEActionManager.submitAction(
          data: SEActionRequestData(
            url: provider.baseUrl, connectionGuid: guid, accessToken: phone.token, appLanguage: "en",
            guid: try #require(SEConnectHelper.actionGuid(from: action))))
        #expect(submitted.success && submitted.connectionId == phone.connection)
        let shown = try await SEAuthorizationManager.getEncryptedAuthorization(
          data: phone.about(try #require(submitted.authorizationId)))
        let authorization = try #require(SEAuthorizationData(try phone.members(shown.data)))
        let decided = try await SEAuthorizationManager.confirmAuthorization(
          data: phone.decision(authorization.id, code: authorization.authorizationCode))
        #expect(decided.success)

        let consent =
          #"{"reference":"c-1","user_id":"u-1","consent_type":"aisp","tpp_name":"TPP","accounts":[{"name":"Checking"}],"#
          + #""expires_at":"2027-01-01T00:00:00Z"}"#
        _ = try await app.api(.post, "consents", consent)
        let entity = try #require(try await SEConsentManager.getEncryptedConsents(data: phone.request).data.first)
        let read = try #require(SEConsentData(try phone.members(entity), entity.entityId, phone.connection))
        #expect(read.tppName == "TPP" && read.accounts.map(\.name) == ["Checking"])
        #expect(read.expiresAt.numberOfDaysFromNow == 41)
        let id = try #require(read.id)
        let revoked = try await SEConsentManager.revokeConsent(data: phone.about(id))
        #expect(revoked.success && revoked.consentId == id)
        #expect(try await SEConsentManager.getEncryptedConsents(data: phone.request).data.isEmpty)
        try await app.settle()
      }
    }

    @Test("requests of a device whose clock is wrong are refused by their class")
    func lateClock() async throws {
      try await SaltEdgeTestApp.run(over: .live) { app in
        let phone = try await connect(app)
        SEAuthenticatorPlatform.current.clock = ClientClock(wallTime: { Double(app.clock.now.seconds) - 400 }) {
          (_) async throws(CancellationError) in
        }
        let request = phone.request
        await #expect(throws: Refused(word: "SignatureExpired")) {
          try await told {
            SEAuthorizationManager.getEncryptedAuthorizations(data: request, onSuccess: $0, onFailure: $1)
          }
        }
      }
    }
  }
}
