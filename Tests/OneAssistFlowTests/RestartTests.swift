// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistWire
import Storage
import Testing

@Suite("OneAssist: killed and continued")
struct RestartTests {
  @Test("another process, with nothing but the store, continues at every stage of an activation")
  func everywhere() async throws {
    try await OneAssistTestApp.run { app in
      var phone = try await InsuredPhone(app)
      /// Goes on with the same phone in a process that knows nothing.
      func restart(_ stage: String, _ play: @escaping @Sendable (InsuredPhone) async throws -> Void) async throws {
        let last = phone
        try await app.restarted { again in
          let phone = last.at(again)
          #expect(try await phone.status() == stage)
          try await play(phone)
        }
      }
      try await restart("POSTDTLPENDING") { phone in
        let status = try await phone.lead(pinCode: nil, address: nil).status
        #expect(status == 200)
      }
      try await restart("POSTDTLPENDING") { phone in
        let status = try await phone.lead(imei: nil).status
        #expect(status == 200)
      }
      try await restart("POSTDTLCOMPLETE") { phone in
        let status = try await phone.link().status
        #expect(status == 200)
      }
      // The message was owed by the process that died.
      try await restart("POSTDTLCOMPLETE") { phone in
        #expect(phone.app.outside.messages.isEmpty)
        try await phone.app.settle()
        #expect(phone.app.outside.messages.count == 1)
      }
      try await restart("POSTDTLCOMPLETE") { phone in
        let shown = try await phone.screen().code(at: phone.app.clock.now.milliseconds)
        phone.app.outside.change { $0.code = shown?.digits }
      }
      try await restart("POSTDTLCOMPLETE") { phone in
        let status = try await phone.upload("SCREEN_IMAGE", "front").status
        #expect(status == 200)
      }
      let id = try await phone.membership()
      try await restart("POSTDTLCOMPLETE") { phone in
        let status = try await phone.upload("BACK_IMAGE", "back").status
        #expect(status == 200)
      }
      try await restart("PENDING") { phone in
        let path = "memberships/\(id)/documents/BACK_IMAGE/decision"
        let status = try await phone.app.review(.post, path, #"{"verdict":"refuse","reason":"Dark."}"#).status
        #expect(status == 204)
      }
      try await restart("PENDING") { phone in
        let status = try await phone.app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#).status
        #expect(status == 200)
      }
      try await restart("REUPLOAD") { phone in
        let status = try await phone.upload("BACK_IMAGE", "back again").status
        #expect(status == 200)
      }
      try await restart("PENDING") { phone in
        for name in ["SCREEN_IMAGE", "BACK_IMAGE"] {
          _ = try await phone.app.review(
            .post, "memberships/\(id)/documents/\(name)/decision", #"{"verdict":"accept"}"#)
        }
        let status = try await phone.app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"approve"}"#).status
        #expect(status == 200)
      }
      try await restart("APPROVED") { phone in try await phone.app.settle() }
      #expect(
        Set(app.outside.events.map(\.data.status)) == ["POSTDTLCOMPLETE", "PENDING", "REUPLOAD", "APPROVED"])
      phone = phone.at(app)
      #expect(try await phone.status() == "APPROVED")
    }
  }

  @Test("an upload whose process died before its row leaves no photo, and is made again")
  func upload() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      _ = try await phone.link()
      let lost = UUID().uuidString.lowercased()
      try await app.blobs.blobs.put(lost, Data("sealed".utf8))
      #expect(try await phone.documents()["BACK_IMAGE"] == "PN")
      #expect(try await phone.upload("BACK_IMAGE", "back").status == 200)
      let named = try await app.database.read { try OneAssistBlobStore.referenced(Array(app.blobs.keys), in: $0) }
      #expect(named == app.blobs.keys.subtracting([lost]))
    }
  }

  @Test("a message that is owed twice is texted once, when the first one was written down")
  func message() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      _ = try await phone.link()
      try await app.settle()
      let first = try #require(app.outside.messages.first)
      // What is left when the row that says "sent" was not written: the same effect, owed still.
      let id = try #require(first.id)
      try await app.database.write { tx in
        try Outbox(world: app.clock.world).enqueue("oneassist.sendLink", subject: id, in: tx)
      }
      try await app.settle()
      // It was written: no message is sent twice.
      #expect(app.outside.messages.count == 1)
    }
  }
}
