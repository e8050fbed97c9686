// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseTransport
import HTTP
import Hummingbird
import HummingbirdTesting
import Kit
import OpenAPISupport
import RubixWire
import Storage
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Journey: what is known without a body is said before it is read", .timeLimit(.minutes(10)))
struct UnreadBodyTests {
  /// Sends the head of a request whose body stays with the client.
  private static func ask(
    _ port: Int, _ path: String, method: String = "POST", length: Int = 20_000_000, _ headers: [String] = []
  ) async throws -> Int {
    try await BlockingThreadPool("sockets", width: 1).run {
      let socket = try HTTPSocket(UInt16(port))
      let first = "\(method) \(path) HTTP/1.1"
      let lines = [first, "Host: house.example", "Connection: close", "Content-Length: \(length)"] + headers
      try socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
      return Int(try socket.receiveAll().split(separator: " ").dropFirst().first ?? "") ?? 0
    }
  }

  private static func live(
    _ journey: JourneyTestApp, _ play: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    try await journey.app.server().serve { client in try await play(try #require(client.port)) }
  }

  @Test(
    "an upload is refused by token, session, limit and order while its picture is still with the phone", .onOneEngine)
  func rubix() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      let (token, id) = (try #require(try await phone.store.load()).accessToken, try await phone.app.me().id)
      let header = ["x-access-token: \(token)"]
      let path = "/api/v1/onboarding/documents/passport/upload"
      try await Self.live(journey) { port in
        #expect(try await Self.ask(port, path, length: 25_000_000) == 401)
        #expect(try await Self.ask(port, path, header) == 409)
        // One that says itself that it is too large.
        #expect(try await Self.ask(port, path, length: 40_000_000, header) == 413)
        // A body that is no picture, and large for what it is.
        #expect(try await Self.ask(port, "/api/v1/onboarding/compliance/kyc", length: 200_000, header) == 409)
        try await journey.app.database.write { tx in
          for _ in 0..<300 {
            _ = try journey.app.core.limits.count(RateLimit("customer", 300, per: .minutes(1)), by: id, in: tx)
          }
        }
        #expect(try await Self.ask(port, path, header) == 429)
        try await phone.app.logout()
        #expect(try await Self.ask(port, path, header) == 401)
      }
    }
  }

  @Test(
    "links and credentials are looked at before what comes with them is read", .onOneEngine,
    arguments: [
      ("/u/\(String(repeating: "x", count: 43))/BACK_IMAGE", 5_000_000, 404),
      ("/finaptic/pages/reset-password/\(String(repeating: "x", count: 43))", 8000, 404),
      ("/api/v1/onboarding/callback/aml/alert", 16_000, 401),
      ("/api/v1/powerauth/signatures/verify", 1_000_000, 401),
    ])
  func strangers(path: String, length: Int, status: Int) async throws {
    try await JourneyTestApp.run { journey in
      try await Self.live(journey) { port in
        let answered = try await Self.ask(port, path, length: length)
        #expect(answered == status)
      }
    }
  }

  @Test(
    "a client that sends all before it reads finds its refusal, also when it closes after this request", .onOneEngine,
    arguments: ["close", "keep-alive"])
  func sendsAll(connection: String) async throws {
    try await JourneyTestApp.run { journey in
      try await Self.live(journey) { port in
        let line = try await BlockingThreadPool("sockets", width: 1).run {
          let socket = try HTTPSocket(UInt16(port))
          let lines = [
            "POST /api/v1/onboarding/documents/passport/upload HTTP/1.1", "Host: house.example",
            "Connection: \(connection)", "Content-Length: 12000000",
          ]
          try socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
          try socket.send(String(repeating: "x", count: 12_000_000))
          return try socket.receiveSome()
        }
        #expect(line.hasPrefix("HTTP/1.1 401"), "\(line.prefix(60))")
      }
    }
  }

  @Test("what strangers may send is never large enough to need a place in memory", .onOneEngine)
  func strangersAreSmall() async throws {
    try await JourneyTestApp.run { journey in
      try await Self.live(journey) { port in
        for path in [
          "/api/v1/onboarding/auth/register", "/api/v1/onboarding/auth/refresh-token",
          "/api/v1/onboarding/agents/auth/token", "/api/authenticator/v2/connections",
        ] {
          let status = try await Self.ask(port, path, length: 65_537)
          #expect(status == 413, "\(path)")
        }
      }
    }
  }

  @Test("nothing that is described waits for a stranger's body that needs a place in memory", .onOneEngine)
  func everyOperation() async throws {
    let operations = try OpenAPIDocument.published.get().operations.filter {
      ["POST", "PUT", "PATCH"].contains($0.method)
    }
    #expect(operations.count > 300)
    let id = "00000000-0000-4000-8000-000000000001"
    try await JourneyTestApp.run { journey in
      try await Self.live(journey) { port in
        for operation in operations {
          let path = operation.template.description.replacing(#/\{[^}]*\}/#, with: id)
          // 408 is what a body that is waited for and does not come ends in.
          let status = try await Self.ask(port, path, method: operation.method, length: 65_537)
          #expect(status > 0 && status != 408, "\(operation.method) \(path)")
        }
      }
    }
  }

  @Test("of two documents at once, of which one is too many for the day, one is stored and nothing of the other")
  func dailyLimit() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      let (picture, id) = (try JourneyPapers.passport.picture(.page), try await phone.app.me().id)
      try await journey.app.database.write { tx in
        for _ in 0..<4 {
          let limit = RateLimit("document side", 5, per: .days(1))
          _ = try journey.app.core.limits.count(limit, by: "\(id) passport", in: tx)
        }
      }
      let before = try await journey.app.core.blobs.list(nil, 1000).objects.count
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for _ in 1...2 {
          group.addTask { (try? await phone.restarted().upload(.passport, file: picture)) != nil }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0 } == 1)
      #expect(try await journey.app.core.blobs.list(nil, 1000).objects.count == before + 1)
    }
  }
}
