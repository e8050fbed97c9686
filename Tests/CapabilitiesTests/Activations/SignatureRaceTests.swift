// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: racing signatures")
struct SignatureRaceTests {
  private static let body = Data("body".utf8)

  @Test("of twenty requests with one counter value exactly one is valid, on two nodes")
  func one() async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice { $0.maxFailedAttempts = 64 }
    let second = try app.otherNode()
    // Each signs something else with the same counter: no copy of one request.
    let headers = try (0..<20).map { _ in
      var copy = device
      return try copy.sign(.possessionKnowledge, uriID: "/pay", body: Self.body)
    }
    let valid = try await withThrowingTaskGroup(of: Bool.self) { group in
      for (index, header) in headers.enumerated() {
        group.addTask { try await app.verify(header, by: index.isMultiple(of: 2) ? nil : second).isValid }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(valid == 1)
    let actions = try await app.actions(id)
    #expect(actions.count { $0 == "signature.verified" } == 1)
    // No attempt is lost: the other nineteen counted, before or after the right one forgave.
    #expect(actions.count { $0 == "signature.refused" } == 19)
    #expect(try await app.faults() == [])
  }

  @Test("of many wrong ones that race exactly as many count as it takes to block")
  func blocked() async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice()
    let headers = try (0..<20).map { _ in
      var copy = device
      return try copy.sign(.possessionKnowledge, uriID: "/pay", body: Self.body, spoiling: [.knowledge])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for header in headers { group.addTask { _ = try await app.verify(header) } }
      try await group.waitForAll()
    }
    let activation = try await app.activations.find(id)
    #expect(activation.state == .blocked && activation.failedAttempts == 5)
    let actions = try await app.actions(id)
    #expect(actions.count { $0 == "signature.refused" } == 4)
    #expect(actions.count { $0 == "activation.attemptsExhausted" } == 1)
  }

  @Test("requests that were signed one after the other and arrive together are each valid, or behind the counter")
  func together() async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let headers = try (0..<10).map { _ in try device.sign(.possession, uriID: "/pay", body: Self.body) }
    let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
      for header in headers { group.addTask { try await app.verify(header).isValid } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let valid = outcomes.count { $0 }
    #expect(valid >= 1)
    #expect(try await app.actions(id).count { $0 == "signature.verified" } == valid)
    // Wherever they met, the device's next one is found.
    #expect(try await app.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
  }

  @Test(
    "of six that were signed one after the other, the last one arriving first makes the others wrong",
    arguments: [(SignatureType.possessionKnowledge, ActivationState.blocked, 5), (.possession, .active, 0)])
  func lastFirst(type: SignatureType, state: ActivationState, failed: Int) async throws {
    let app = try await ActivationsTestApp()
    var (device, id) = try await app.activeDevice()
    let second = try app.otherNode()
    let headers = try (0..<6).map { _ in try device.sign(type, uriID: "/pay", body: Self.body) }
    #expect(try await app.verify(headers[5]).isValid)
    for (index, header) in headers.dropLast().enumerated() {
      #expect(try await !app.verify(header, by: index.isMultiple(of: 2) ? nil : second).isValid)
    }
    let activation = try await app.activations.find(id)
    #expect(activation.state == state && activation.failedAttempts == failed)
  }

  @Test("a signature that races with the removal does not bring the activation back")
  func removal() async throws {
    let app = try await ActivationsTestApp()
    for _ in 0..<5 {
      let joined = try await app.activeDevice()
      let id = joined.id
      var device = joined.device
      let header = try device.sign(.possession, uriID: "/pay", body: Self.body)
      async let outcome = app.verify(header)
      async let removed = app.activations.remove(id, by: .system)
      _ = try await (outcome, removed)
      #expect(try await app.activations.find(id).state == .removed)
      #expect(try await !app.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
    }
  }
}
