// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

/// An app with the SDK in it, talking to the server over a socket. What it calls by the server's public address arrives at
/// the port that the server listens on, as it would through a proxy.
struct AppOnLoopback: Sendable {
  let app: SaltEdgeTestApp
  let store = MemorySecureStore()
  let authenticator: Authenticator

  /// - Parameter page: what the user does on the bank's page; answers with where it leads.
  init(
    _ app: SaltEdgeTestApp, keys: [String] = ["device", "device-2", "device-3"],
    page: @escaping @Sendable (URL) async throws -> String? = { _ in nil }
  ) async throws {
    self.app = app
    let (clock, port) = (app.clock, try #require(app.client.port))
    let remaining = Remaining(keys)
    var setup = AuthenticatorSetup(
      device: DeviceDescription(app: "Test", version: "1", build: "1", model: "None", system: "Linux"),
      signInPage: SignInPage { request in
        do { return try await page(request.url) } catch {
          Issue.record(error)
          return nil
        }
      })
    setup.policy.passcodeRounds = 100
    setup.policy.idleMax = .seconds(100_000)
    setup.makeKey = { () throws(SaltEdgeError) in
      do { return try TestKeys.named(remaining.next()) } catch { throw .invalidKey }
    }
    authenticator = Authenticator(
      setup, store: store, transport: Self.transport(port: port),
      clock: ClientClock(
        wallTime: { Double(clock.now.seconds) }, uptime: { .seconds(clock.now.seconds) },
        pause: { (duration) async throws(CancellationError) in clock.advance(by: duration) }))
    #expect(try await authenticator.createPasscode("1234", again: "1234") == .set)
  }

  private final class Remaining: Sendable {
    private let names: [String]
    private let place = Counter()

    init(_ names: [String]) { self.names = names }

    func next() -> String { names[place.next() % names.count] }
  }

  private static func transport(port: Int) -> HTTPTransport {
    let live = HTTPTransport.live()
    return HTTPTransport { (request, progress) async throws(TransportError) in
      var request = request
      let address = request.url.absoluteString.replacing(SaltEdgeTestApp.address, with: "http://localhost:\(port)")
      request.url = URL(string: address) ?? request.url
      return try await live.send(request, progress: progress)
    }
  }

  /// By a link that the bank made for its customer.
  func connect(user: String = "u-1", version: Int) async throws -> Connection {
    let link = try await app.api(
      .post, "connect-links", #"{"user_id":"\#(user)","api_version":\#(version)}"#
    ).view(DeviceV2.LinkView.self)
    guard case .connect(let connect) = authenticator.link(link.link) else { throw SaltEdgeError.malformed(.deepLink) }
    return try await authenticator.connect(connect)
  }

  func proof() async throws -> UserPresence {
    guard case .passed(let proof) = try await authenticator.unlock(with: .passcode("1234")) else {
      throw AuthenticatorError(.outOfOrder, .appLocked)
    }
    return proof
  }

  func shown() async throws -> [Authorization] {
    let snapshot = try await authenticator.authorizations()
    #expect(snapshot.failures.isEmpty)
    return snapshot.authorizations
  }
}
