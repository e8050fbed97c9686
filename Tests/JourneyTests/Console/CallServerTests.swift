// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import Kit
import Scheduling
import Storage
import TestSupport
import Testing

@testable import Console
@testable import Delivery
@testable import GatehouseApp

@Suite("Console: servers that help browsers find each other", .storeless)
struct CallServerTests {
  private static let now = Instant(milliseconds: 1_795_334_400_000)

  @Test("a TURN server gets a name with an end and a password made of it, as coturn's use-auth-secret wants")
  func credentials() {
    let servers = ICEServers(stun: ["stun:s.example"], turn: ["turn:t.example"], secret: "north")
    // printf 1795352400:7f | openssl dgst -sha1 -hmac north -binary | base64
    #expect(
      servers.list(for: "7f", at: Self.now) == [
        .init(urls: ["stun:s.example"]),
        .init(urls: ["turn:t.example"], username: "1795352400:7f", credential: "vUzelQKByJR3IqzYreKaEnEHdOI="),
      ])
    #expect(ICEServers.none.list(for: "7f", at: Self.now) == [])
  }

  @Test("settings take addresses of the right scheme, and the secret with the servers that need it")
  func settings() async throws {
    let good = "turn:t.example:3478?transport=udp turns:[2001:db8::1]:5349?transport=tcp"
    let read = try await Self.load(["calls.stun": "stun:s.example", "calls.turn": good, "calls.turnSecret": "north"])
    #expect(read.calls.ice.stun == ["stun:s.example"] && read.calls.ice.turn.count == 2)
    #expect(!read.calls.ice.isRelayOnly)
    let relayed = try await Self.load(["calls.turn": good, "calls.turnSecret": "north", "calls.relayOnly": "true"])
    #expect(relayed.calls.ice.isRelayOnly)
    #expect(read.calls.recording == nil)
    let recorder = ["calls.record": "true", "calls.recorder": "https://r.example/calls"]
    let secret = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
    let days = ConfigValue(.int(30), isSecret: false)
    let recorded = try await Self.load(
      recorder.merging(["calls.recorderSecret": secret]) { $1 }, with: ["calls.recordingDays": days])
    #expect(recorded.calls.recording?.keepDays == 30 && recorded.calls.recording?.url == "https://r.example/calls")
    #expect(recorded.calls.recording?.isOn == true)
    let off = ["calls.recorder": "https://r.example/calls", "calls.recorderSecret": secret]
    #expect(try await Self.load(off, with: ["calls.recordingDays": days]).calls.recording?.isOn == false)
    for values in [
      ["calls.record": "true"], recorder, recorder.merging(["calls.recorderSecret": "short"]) { $1 },
      ["calls.stun": "turn:s.example"], ["calls.stun": "https://s.example"], ["calls.stun": "stun:s example/x"],
      ["calls.stun": "stun:a stun:b stun:c stun:d stun:e"], ["calls.turn": "turn:t.example"],
      ["calls.turnSecret": "north"], ["calls.relayOnly": "true"],
    ] {
      await #expect(throws: SettingsError.self, "\(values)") { _ = try await Self.load(values) }
    }
  }

  private static func load(
    _ values: [String: String], with others: [String: ConfigValue] = [:]
  ) async throws -> Settings {
    var flags = values.mapValues { ConfigValue($0 == "true" ? .bool(true) : .string($0), isSecret: false) }
    flags.merge(others) { $1 }
    return try await Settings.load(flags: flags)
  }
}

@Suite("Console: the recorder of calls")
struct CallRecorderTests {
  @Test("a recorder that was told of the begin is told of the end after its settings are removed")
  func removed() async throws {
    try await JourneyTestApp.run { journey in
      let secret = try #require(WebhookSecret("whsec_" + Data(repeating: 7, count: 32).base64EncodedString()))
      let recording = CallSettings.Recording(
        url: "https://r.example/calls", secret: secret, keepDays: 30, isOn: true)
      func tell(_ event: String, _ recording: CallSettings.Recording?, at hour: Int = 8) async throws -> Int {
        let (topic, world) = ("calls.tellRecorder", journey.clock.world)
        let perform = try #require(SchedulingModule(recorder: journey.app.callRecorder(recording)).effects[topic])
        try await perform(
          OutboxItem(
            id: .init(world), topic: topic, subject: "call", payload: "\(event) 2026-11-22T0\(hour):00:00.000Z",
            attempts: 0, enqueuedAt: world.now(), origin: nil))
        return try await journey.app.database.query("SELECT message_id FROM webhook_delivery").count
      }
      #expect(try await tell("ended", nil) == 0, "no recorder was told of anything")
      #expect(try await tell("begun", recording) == 1)
      #expect(try await tell("ended", nil) == 2)
      #expect(try await tell("begun", nil, at: 9) == 2, "without settings no recording begins")
      let (vault, webhooks) = (journey.app.vault, journey.app.webhooks)
      let end = try #require(try await webhooks.log(.init()).first { $0.type == "call.ended" })
      #expect(try await webhooks.report(of: end.endpoint).endpoint.url == recording.url)
      let message = try #require(
        try await journey.app.database.read { tx in
          let id = try tx.first("SELECT id FROM webhook_message WHERE type = 'call.ended'")
          return try id.flatMap { try WebhookDeliveryStore(tx, vault: vault).body(of: try $0.get("id")) }
        })
      let told = try JSONDecoder().decode(CallRecorder.Notice.self, from: message)
      #expect(told.call == "call" && told.event == .ended && told.keepDays == nil)
    }
  }
}
