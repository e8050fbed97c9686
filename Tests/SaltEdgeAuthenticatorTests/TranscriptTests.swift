// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import SaltEdgeWire
import SaltEdgeCore
import Synchronization
import Testing

@testable import SaltEdgeAuthenticator

/// A real example service of v1, as it was recorded: every answer is the one that it gave (acceptance 3). The clock
/// stands where the recording was made.
@Suite("Authenticator: a recorded service of v1", SampleFolder.needed("INDEX.json"), .serialized)
struct TranscriptTests {
  struct Transcript: Decodable, Sendable {
    struct Exchange: Decodable, Sendable {
      struct Request: Decodable, Sendable {
        let method, url, body: String
        let headers: [String: String]
      }
      struct Response: Decodable, Sendable {
        let status: Int
        let content_type, location: String?
        let body: String
      }
      let name: String
      let request: Request
      let response: Response

      /// What the address ends in.
      var id: String { String(request.url.split(separator: "/").last ?? "") }

      /// The code of the decision that it sends.
      var code: String? {
        get throws {
          try WireJSON.decode(SaltEdge.Body<SaltEdgeV1.Decision>.self, from: Data(request.body.utf8)).data.code
        }
      }
    }
    let client_key: String
    let exchanges: [Exchange]

    func named(_ name: String) throws -> Exchange {
      try #require(exchanges.first { $0.name == name }, "\(name) is not recorded")
    }
  }

  /// Plays the answers that a test names, in their order, and compares what is asked with what was recorded.
  private final class Player: Sendable {
    private let rest: Mutex<[Transcript.Exchange]>

    init(_ transcript: Transcript, _ names: [String]) throws { rest = Mutex(try names.map(transcript.named)) }

    var isOver: Bool { rest.withLock { $0.isEmpty } }

    var transport: HTTPTransport {
      HTTPTransport { (request, _) async throws(TransportError) in
        guard let exchange = self.rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
          Issue.record("nothing was recorded for \(request.method) \(request.url)")
          throw TransportError(.unexpectedCall)
        }
        #expect(request.method == exchange.request.method && request.url.absoluteString == exchange.request.url)
        let recorded = exchange.request
        if let token = recorded.headers["Access-Token"] { #expect(request.headers["access-token"] == token) }
        func json(_ data: Data) -> NSDictionary? { (try? JSONSerialization.jsonObject(with: data)) as? NSDictionary }
        if recorded.method == "PUT", !recorded.body.isEmpty {
          #expect(json(request.body ?? Data()) == json(Data(recorded.body.utf8)), "\(exchange.name)")
        }
        return TransportResponse(
          status: exchange.response.status, headers: ["content-type": exchange.response.content_type ?? ""],
          body: Data(exchange.response.body.utf8))
      }
    }
  }

  private func authenticator(_ transcript: Transcript, _ player: Player, end: String?) async throws -> Authenticator {
    let key = try SampleFolder.privateKey(transcript.client_key)
    let expiry = Double(try transcript.named("list_one").request.headers["Expires-At"] ?? "") ?? 0
    let clock = ClientClock(
      wallTime: { expiry - 300 }, uptime: { .zero }, pause: { (_) async throws(CancellationError) in })
    var setup = AuthenticatorSetup(device: Phone.device, signInPage: SignInPage { _ in end })
    setup.policy.passcodeRounds = 100
    setup.makeKey = { () throws(SaltEdgeError) in key }
    let authenticator = Authenticator(setup, store: MemorySecureStore(), transport: player.transport, clock: clock)
    _ = try await authenticator.createPasscode("1234", again: "1234")
    return authenticator
  }

  @Test(
    "connecting, listing, showing, a wrong code, confirming, instant sign-in and payment, and revoking, as recorded",
    arguments: SampleFolder.files("v1/transcript_real_example_service"))
  func story(file: String) async throws {
    let transcript = try SampleFolder.json(file, Transcript.self)
    let player = try Player(
      transcript,
      [
        "configuration", "create_connection", "list_empty", "list_one", "show_one", "show_missing",
        "confirm_wrong_code", "confirm_ok_ios_pretty_body", "action_submit_login", "action_submit_payment",
        "show_payment_auth", "confirm_payment", "consents_not_implemented_in_sinatra", "revoke_connection",
      ])
    let configuration = try #require(URL(string: try transcript.named("configuration").request.url))
    let end = try transcript.named("connect_success_redirect").response.location
    let authenticator = try await authenticator(transcript, player, end: end)
    // The service says that it is reached by https; where it was recorded it was not.
    let base = try #require(URL(string: "/", relativeTo: configuration)?.absoluteURL)
    let connection = try await authenticator.connect(ConnectLink(configuration: configuration), baseURL: base)
    let token = try #require(try transcript.named("list_one").request.headers["Access-Token"])
    #expect(connection.accessToken == token && connection.status == .active)
    #expect(try await authenticator.authorizations().authorizations.isEmpty)

    let snapshot = try await authenticator.authorizations()
    let listed = try #require(snapshot.authorizations.first)
    #expect(snapshot.failures.isEmpty && snapshot.authorizations.count == 1)
    let shown = try await authenticator.authorization(listed.id)
    #expect(shown.title == listed.title && shown.code == listed.code && shown.state == .pending)
    let missingID = try transcript.named("show_missing").id
    let missing = await thrown {
      try await authenticator.authorization(.init(connection: connection.guid, id: missingID))
    }
    #expect(missing?.errorClass == .authorizationNotFound)
    // The recorded client tried a code that was not the bank's first.
    let tampered = Authorization(
      id: shown.id, title: shown.title, content: shown.content, createdAt: shown.createdAt, expiresAt: shown.expiresAt,
      state: .pending, code: try transcript.named("confirm_wrong_code").code)
    #expect(try await authenticator.confirm(tampered, by: authenticator.present()).state == .error)
    await authenticator.clearList()
    #expect(try await authenticator.confirm(shown, by: authenticator.present()).state == .confirmed)

    func action(_ name: String) throws -> ActionLink {
      ActionLink(.v1(actionUUID: try transcript.named(name).id, connectURL: connection.connectURL))
    }
    #expect(try await authenticator.submit(action("action_submit_login"), on: connection.guid) == .done(returnTo: nil))
    guard
      case .confirm(let id, nil) = try await authenticator.submit(action("action_submit_payment"), on: connection.guid)
    else {
      Issue.record("the payment needs no confirmation")
      return
    }
    let payment = try await authenticator.authorization(id)
    #expect(try await authenticator.confirm(payment, by: authenticator.present()).state == .confirmed)
    let consents = await thrown {
      try await authenticator.consents(of: connection.guid)
    }
    #expect(consents?.errorClass == .apiResponse)
    #expect(try await authenticator.remove(connection.guid))
    #expect(player.isOver)
  }

  @Test(
    "an enrolment that needs no page, and every refusal, is read as recorded",
    arguments: SampleFolder.files("v1/transcript_real_example_service"))
  func refusals(file: String) async throws {
    let transcript = try SampleFolder.json(file, Transcript.self)
    let player = try Player(transcript, ["configuration", "create_connection_instant"])
    let configuration = try #require(URL(string: try transcript.named("configuration").request.url))
    let authenticator = try await authenticator(transcript, player, end: nil)
    let base = try #require(URL(string: "/", relativeTo: configuration)?.absoluteURL)
    let connection = try await authenticator.connect(ConnectLink(configuration: configuration), baseURL: base)
    let token = try transcript.named("after_admin_revoke").request.headers["Access-Token"]
    #expect(connection.accessToken == token)
    var seen = 0
    for exchange in transcript.exchanges where exchange.response.status >= 400 {
      let response = TransportResponse(status: exchange.response.status, body: Data(exchange.response.body.utf8))
      do throws(AuthenticatorError) {
        _ = try ServiceHTTPClient.read(response, as: ReadableList<SaltEdgeV1.Entity>.self)
        Issue.record("\(exchange.name) was read as an answer")
      } catch {
        let said = try? JSONDecoder().decode(SaltEdge.ErrorBody.self, from: response.body).errorClass
        #expect(error.errorClass == said ?? .apiResponse, "\(exchange.name)")
        seen += 1
      }
    }
    #expect(seen > 0)
  }
}

@Suite("Authenticator: recorded payloads", SampleFolder.needed("v2/authorizations.json"))
struct PayloadSampleTests {
  private struct Samples: Decodable {
    struct Item: Decodable {
      let wire: SaltEdgeV2.Authorization
      let key, plaintext: String?
    }
    let items: [Item]
  }

  @Test("authorizations of v2 in every state are read")
  func v2() throws {
    let items = try SampleFolder.json("v2/authorizations.json", Samples.self).items
    #expect(!items.isEmpty)
    for item in items {
      // What is over has no key, and nothing to read.
      let key = try SampleFolder.privateKey(#require(item.key ?? items.compactMap(\.key).first))
      let entry = ListedAuthorization(item.wire, connection: "g", key: key)
      switch entry {
      case .open(let authorization):
        let content = try WireJSON.decode(SaltEdgeV2.Content.self, from: Data((item.plaintext ?? "").utf8))
        #expect(authorization.title == content.title && authorization.code == content.code)
        #expect(authorization.content == AuthorizationContent(content.description))
      case .over(_, let state): #expect(state.isFinal && item.wire.status.isFinal)
      case .withdrawn: #expect(item.wire.status.isClosed)
      case nil: Issue.record("\(item.wire.id) was not read")
      }
    }
  }
}
