// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage
import Testing
import TestSupport

@testable import Activations

@Suite("Activations: temporary keys")
struct TemporaryKeyTests {
  private static func refusal(_ app: ActivationsTestApp, _ jwt: String) async throws -> String? {
    try await ActivationsTestApp.problem { _ = try await app.activations.temporaryKey(jwt: jwt) }
  }

  @Test("the answer is signed with the key of its scope, repeats the challenge, and lives five minutes")
  func made() async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice()
    for isActivation in [false, true] {
      let key = try #require(try await app.temporaryKey(for: device, ofActivation: isActivation))
      #expect(key.expiresAt == app.now + 300_000 && key.issuedAt == app.now)
    }
  }

  @Test("any node decrypts with a key that another one made")
  func nodes() async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice()
    let key = try await app.temporaryKey(for: device, ofActivation: true)
    let (request, _) = try device.encrypt(Data("x".utf8), .genericActivation, temporaryKey: key, now: app.now)
    let opened = try await app.otherNode().decrypt(
      request, .genericActivation, version: .v33, applicationKey: device.configuration.applicationKey,
      activation: try device.joined().identifier)
    #expect(opened.activation?.id == id)
  }

  @Test("a key ends to the millisecond, before the sweep and after it")
  func expires() async throws {
    let app = try await ActivationsTestApp()
    let device = app.newDevice()
    let key = try await app.temporaryKey(for: device, ofActivation: false)
    func refusal() async throws -> String? {
      let (request, _) = try device.encrypt(Data(), .genericApplication, temporaryKey: key, now: app.now)
      return try await ActivationsTestApp.problem {
        _ = try await app.activations.decrypt(
          request, .genericApplication, version: .v33, applicationKey: device.configuration.applicationKey)
      }
    }
    app.clock.advance(by: .minutes(5) - .milliseconds(1))
    #expect(try await refusal() == nil)
    app.clock.advance(by: .milliseconds(1))
    #expect(try await refusal() == "encryption-failed")
    #expect(try await app.activations.sweep() == 1)
    #expect(try await refusal() == "encryption-failed")
  }

  @Test("an activation that is blocked still gets a key, one that is gone does not, and its keys go with it")
  func states() async throws {
    let app = try await ActivationsTestApp()
    let (device, id) = try await app.activeDevice()
    _ = try await app.activations.block(id, by: .system)
    _ = try await app.temporaryKey(for: device, ofActivation: true)
    let count: @Sendable (any SQLTransaction) throws -> Int = {
      try $0.first("SELECT COUNT(*) AS n FROM activation_temporary_key")?.get("n") ?? -1
    }
    #expect(try await app.database.read(count) == 1)
    _ = try await app.activations.remove(id, by: .system)
    #expect(try await app.database.read(count) == 0)
    #expect(
      try await Self.refusal(app, device.temporaryKeyRequest(ofActivation: true).token) == "temporary-key-failure")
    let started = try await app.initiate()
    var waiting = app.newDevice()
    try waiting.complete(try await app.create(waiting, .code(started.code)).created().wire)
    #expect(
      try await Self.refusal(app, waiting.temporaryKeyRequest(ofActivation: true).token) == "temporary-key-failure")
  }

  @Test("a key whose activation is removed while it is made is not made")
  func removedMeanwhile() async throws {
    let app = try await ActivationsTestApp()
    for _ in 0..<5 {
      let (device, id) = try await app.activeDevice()
      let (_, token) = try device.temporaryKeyRequest(ofActivation: true)
      async let asked = try? app.activations.temporaryKey(jwt: token)
      async let removed = app.activations.remove(id, by: .system)
      _ = try await (asked, removed)
      let left = try await app.database.read {
        try $0.query("SELECT id FROM activation_temporary_key WHERE activation_id = \(id)").count
      }
      #expect(left == 0)
    }
  }

  @Test("a key's name that is no UUID is no key, whatever is in it")
  func names() async throws {
    let app = try await ActivationsTestApp()
    let keys = TemporaryKeys(vault: app.vault)
    for name in ["", "x", "\u{0}", "0195a1b2-aaaa-4bbb-8ccc-00000000000\u{0}"] {
      let found = try await app.database.read { tx in
        try keys.find(
          name, applicationKey: app.release.configuration.applicationKey, activation: nil, now: app.clock.now,
          in: tx)
      }
      #expect(found == nil)
    }
  }

  @Test("every character of a question, changed, is refused, and so is a stranger's", arguments: [false, true])
  func flipped(isActivation: Bool) async throws {
    let app = try await ActivationsTestApp()
    let (device, _) = try await app.activeDevice()
    let token = try device.temporaryKeyRequest(ofActivation: isActivation).token
    for place in token.indices {
      let letter: Character = token[place] == "A" ? "B" : "A"
      let changed = token.replacingCharacters(in: place...place, with: String(letter))
      #expect(try await Self.refusal(app, changed) == "temporary-key-failure")
    }
    let other = try await app.activations.applications.add("Other", tenant: "acme", by: .init("operator"))
    let stranger = TestDevice(
      configuration: SDKConfiguration(
        applicationKey: device.configuration.applicationKey,
        applicationSecret: other.configuration.applicationSecret,
        masterPublicKey: other.configuration.masterPublicKey), random: app.clock.world.random)
    #expect(
      try await Self.refusal(app, stranger.temporaryKeyRequest(ofActivation: false).token)
        == "temporary-key-failure")
    #expect(try await Self.refusal(app, token) == nil)
  }

  @Test("no bytes make the reader of questions stumble")
  func fuzz() async throws {
    let app = try await ActivationsTestApp()
    let token = try app.newDevice().temporaryKeyRequest(ofActivation: false).token
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      var bytes = Array(token.utf8)
      for _ in 0..<(1 + generator.next() % 3) {
        let place = Int(generator.next() % UInt64(bytes.count))
        switch generator.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(ascii: "."), at: place)
        default: bytes = Array(bytes.prefix(place + 1))
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard text != token else { continue }
      #expect(try await Self.refusal(app, text) == "temporary-key-failure")
    }
  }
}
