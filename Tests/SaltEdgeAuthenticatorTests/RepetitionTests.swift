// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeCore
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: what is tried again, and what is not")
struct RepetitionTests {
  private static let failures: [Result<TransportResponse, TransportError>] = [
    .failure(TransportError(.unreachable)), .failure(TransportError(.timedOut)),
    .failure(TransportError(.connectionLost)), .success(.init(status: 503)), .success(.init(status: 502)),
  ]
  private static let connections = "POST \(FakeService.v2Base)/api/authenticator/v2/connections"
  private static let actions = "POST \(FakeService.v2Base)/api/authenticator/v2/authorizations"
  private static let action = ActionLink(.v2(actionID: "77", providerID: "7"))

  private static func withoutQuery(_ link: ConnectLink) -> ConnectLink {
    ConnectLink(configuration: link.configuration, connectQuery: nil)
  }

  @Test("connecting is tried again after 1, 5 and 25 seconds when no answer came", arguments: failures.indices)
  func connect(failure: Int) async throws {
    for link in [FakeService.v1Link, FakeService.v2Link].map(Self.withoutQuery) {
      let phone = Phone()
      // The pauses are no touch.
      let authenticator = try await phone.ready { $0.policy.idleMax = .seconds(1000) }
      for _ in 0..<3 { phone.service.instead("/connections", Self.failures[failure]) }
      #expect(try await authenticator.connect(link).status == .active)
      #expect(phone.pauses == [.seconds(1), .seconds(5), .seconds(25)])
      for _ in 0..<4 { phone.service.instead("/connections", Self.failures[failure]) }
      let error = await thrown { try await authenticator.connect(link) }
      #expect(error?.isTransient == true && phone.pauses.count == 6)
      #expect(try await authenticator.connections().count == 1)
    }
  }

  @Test("with a query, which is good for once, only where nothing can have been done")
  func query() async throws {
    for (place, failure) in Self.failures.enumerated() {
      let phone = Phone()
      let authenticator = try await phone.ready()
      phone.service.instead(Self.connections, failure)
      let error = await thrown { try await authenticator.connect(FakeService.v2Link) }
      let isRepeated = place == 0 || place >= 3
      #expect((error == nil) == isRepeated && phone.pauses.count == (isRepeated ? 1 : 0), "\(failure)")
    }
  }

  @Test("an action is picked up again, by a request of its own", arguments: failures.indices)
  func submit(failure: Int) async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let connection = try await authenticator.connect(FakeService.v2Link)
    phone.service.forget()
    phone.service.instead(Self.actions, Self.failures[failure])
    guard case .confirm = try await authenticator.submit(Self.action, on: connection.guid) else {
      Issue.record("the action was not picked up")
      return
    }
    #expect(phone.pauses == [.seconds(1)])
    // A repetition of the same bytes would be a replay.
    #expect(phone.service.heard.count == 2 && Set(phone.service.heard.map(\.body)).count == 2)
  }

  @Test("a service that refuses the repetition of what may have been done does not make it undone")
  func uncertain() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let connection = try await authenticator.connect(FakeService.v2Link)
    phone.service.instead(Self.actions, .failure(TransportError(.connectionLost)))
    phone.service.refuse(Self.actions, 400, "ActionClosed")
    let error = await thrown { try await authenticator.submit(Self.action, on: connection.guid) }
    #expect(error?.kind == .transport(TransportError(.connectionLost)))
    phone.service.instead(Self.actions, .failure(TransportError(.unreachable)))
    phone.service.refuse(Self.actions, 400, "ActionClosed")
    let refusal = await thrown { try await authenticator.submit(Self.action, on: connection.guid) }
    #expect(refusal?.kind == .refused(status: 400))
  }

  @Test("nothing is tried again without a network, after a refusal, or that decides")
  func never() async throws {
    let phone = Phone()
    let authenticator = try await phone.ready()
    let connection = try await authenticator.connect(FakeService.v2Link)
    let finals: [Result<TransportResponse, TransportError>] = [
      .failure(TransportError(.offline)), .failure(TransportError(.insecure)), .success(.init(status: 400)),
      .success(.init(status: 429)),
    ]
    for failure in finals {
      phone.service.instead(Self.actions, failure)
      #expect(await thrown { try await authenticator.submit(Self.action, on: connection.guid) } != nil)
      phone.service.instead(Self.connections, failure)
      #expect(await thrown { try await authenticator.connect(FakeService.v2Link) } != nil)
    }
    phone.service.put(FakeService.v2Entry("9", created: phone.now))
    let authorization = try #require(try await authenticator.authorizations().authorizations.first)
    phone.service.instead("PUT", .failure(TransportError(.connectionLost)))
    #expect(await thrown { try await authenticator.deny(authorization) } != nil)
    #expect(phone.pauses.isEmpty)
  }
}
