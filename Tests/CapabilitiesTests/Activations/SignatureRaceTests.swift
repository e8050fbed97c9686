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
    let house = try await ActivationsHouse()
    let (device, id) = try await house.activeDevice { $0.maxFailedAttempts = 64 }
    let second = try house.otherNode()
    // Each signs something else with the same counter: no copy of one request.
    let headers = try (0..<20).map { _ in
      var copy = device
      return try copy.sign(.possessionKnowledge, uriID: "/pay", body: Self.body)
    }
    let valid = try await withThrowingTaskGroup(of: Bool.self) { group in
      for (index, header) in headers.enumerated() {
        group.addTask { try await house.verify(header, by: index.isMultiple(of: 2) ? nil : second).isValid }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(valid == 1)
    let actions = try await house.actions(id)
    #expect(actions.count { $0 == "signature.verified" } == 1)
    // No attempt is lost: the other nineteen counted, before or after the right one forgave.
    #expect(actions.count { $0 == "signature.refused" } == 19)
    #expect(try await house.faults() == [])
  }

  @Test("of many wrong ones that race exactly as many count as it takes to block")
  func blocked() async throws {
    let house = try await ActivationsHouse()
    let (device, id) = try await house.activeDevice()
    let headers = try (0..<20).map { _ in
      var copy = device
      return try copy.sign(.possessionKnowledge, uriID: "/pay", body: Self.body, spoiling: [.knowledge])
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for header in headers { group.addTask { _ = try await house.verify(header) } }
      try await group.waitForAll()
    }
    let activation = try await house.activations.find(id)
    #expect(activation.state == .blocked && activation.failedAttempts == 5)
    let actions = try await house.actions(id)
    #expect(actions.count { $0 == "signature.refused" } == 4)
    #expect(actions.count { $0 == "activation.attemptsExhausted" } == 1)
  }

  @Test("requests that were signed one after the other and arrive together are each valid, or behind the counter")
  func together() async throws {
    let house = try await ActivationsHouse()
    var (device, id) = try await house.activeDevice()
    let headers = try (0..<10).map { _ in try device.sign(.possession, uriID: "/pay", body: Self.body) }
    let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
      for header in headers { group.addTask { try await house.verify(header).isValid } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let valid = outcomes.count { $0 }
    #expect(valid >= 1)
    #expect(try await house.actions(id).count { $0 == "signature.verified" } == valid)
    // Wherever they met, the device's next one is found.
    #expect(try await house.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
  }

  @Test("a signature that races with the removal does not bring the activation back")
  func removal() async throws {
    let house = try await ActivationsHouse()
    for _ in 0..<5 {
      let joined = try await house.activeDevice()
      let id = joined.id
      var device = joined.device
      let header = try device.sign(.possession, uriID: "/pay", body: Self.body)
      async let outcome = house.verify(header)
      async let removed = house.activations.remove(id, by: .system)
      _ = try await (outcome, removed)
      #expect(try await house.activations.find(id).state == .removed)
      #expect(try await !house.verify(device.sign(.possession, uriID: "/pay", body: Self.body)).isValid)
    }
  }
}
