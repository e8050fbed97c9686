// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Kit
import PowerAuthCore
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: what released apps can read")
struct ReleasedClientTests {
  private static func named(_ process: String, _ rest: String = "") -> String {
    #"{"processId":"\#(process)"\#(rest)}"#
  }

  /// A submission as the app writes it: every member, the replaced picture too where it is missing.
  private static func submission(
    _ process: String, _ files: [(name: String, type: String, side: String, picture: Data, original: String?)],
    folder: String
  ) -> String {
    let zip = ZipFixture(files.map { ("\(folder)\($0.name).jpg", $0.picture) }).data.base64EncodedString()
    let documents = files.map { file in
      let original = file.original.map { #""\#($0)""# } ?? "null"
      return #"{"filename":"\#(folder)\#(file.name).jpg","originalDocumentId":\#(original),"side":"\#(file.side)","#
        + #""type":"\#(file.type)"}"#
    }
    let resubmit = files.contains { $0.original != nil }
    return named(
      process,
      #","data":"\#(zip)","resubmit":\#(resubmit),"documents":[\#(documents.joined(separator: ","))]"#)
  }

  /// Works off what is owed, and reads at every step what the app would ask for.
  /// - Returns: the screens in order, each once.
  private static func watch(_ phone: inout WultraPhone, _ process: String) async throws -> [String] {
    var screens: [String] = []
    repeat {
      let identity = try ReleasedClient.read(ReleasedClient.Identity.self, try await phone.call(.identityStatus))
      #expect(identity.processId == process && identity.config.otpResendPeriod == "PT30S")
      let screen = try #require(identity.screen, "the app aborts")
      if screens.last != screen { screens.append(screen) }
      // Some apps ask in every phase.
      let answer = try await phone.call(.documentStatus, named(process))
      if answer.status == 200 {
        let documents = try ReleasedClient.read(ReleasedClient.Documents.self, answer)
        #expect(documents.documents.allSatisfy { ($0.errors ?? ["x"]).count == 1 })
      } else {
        #expect(try ReleasedClient.read(ReleasedClient.Failure.self, answer).code == "ONBOARDING_FAILED")
      }
    } while try await phone.app.worker.runDue() > 0
    return screens
  }

  @Test(
    "from the first screen to the last nothing is said that they cannot read; files lie in a folder or not",
    arguments: ["8F0B7C3A-52F4-4D3B-9C55-0D6A3A4E9F11/", ""])
  func whole(folder: String) async throws {
    try await WultraPhone.run(WultraTestApp()) { phone in
      let app = phone.app
      let started = try await phone.call(.start, #"{"identification":{"clientNumber":"1"}}"#)
      let process = try ReleasedClient.read(ReleasedClient.Process.self, started).processId
      try await app.settle()
      _ = try await phone.activate(process, app.lastCode())
      let status = try await phone.call(.processStatus, Self.named(process))
      #expect(
        try ReleasedClient.read(ReleasedClient.Process.self, status).onboardingStatus == .verificationInProgress)
      #expect(try await Self.watch(&phone, process) == ["intro"])
      let consent = try await phone.call(.consentText, Self.named(process, #","consentType":"GDPR""#))
      #expect(try !ReleasedClient.read(ReleasedClient.Consent.self, consent).consentText.isEmpty)
      let approved = try await phone.call(
        .approveConsent, Self.named(process, #","approved":true,"consentType":"GDPR""#))
      #expect(try JSONDecoder().decode(ReleasedClient.Done.self, from: approved.body).status == .ok)
      _ = try await phone.call(.initiate, Self.named(process))
      #expect(try await Self.watch(&phone, process) == ["documents"])
      let scanning = try await phone.call(
        .initDocumentSDK, Self.named(process, #","attributes":{"sdk-init-token":"a/b"}"#))
      #expect(try ReleasedClient.read(ReleasedClient.Scanning.self, scanning).attributes.values.first == "for a/b")

      _ = try await phone.call(
        .submitDocuments,
        Self.submission(
          process,
          [
            ("idcard_front", "ID_CARD", "FRONT", FakePicture.unreadable, nil),
            ("idcard_back", "ID_CARD", "BACK", FakePicture.good, nil),
            ("driverslicense_front", "DRIVING_LICENSE", "FRONT", FakePicture.good, nil),
          ], folder: folder))
      #expect(try await Self.watch(&phone, process) == ["documents", "processing", "documents"])
      let answer = try await phone.call(.documentStatus, Self.named(process, #","filter":null"#))
      let bad = try #require(
        try ReleasedClient.read(ReleasedClient.Documents.self, answer).documents.first { $0.errors != nil })
      #expect(bad.status == .rejected && bad.type == .idCard && bad.side == .front)
      _ = try await phone.call(
        .submitDocuments,
        Self.submission(
          process, [("idcard_front", "ID_CARD", "FRONT", FakePicture.good, bad.id)], folder: folder))
      #expect(try await Self.watch(&phone, process) == ["documents", "processing", "presence"])

      let session = try await phone.call(.initPresenceCheck, Self.named(process))
      let token = try #require(session.object["sessionAttributes"]?["sessionToken"]?.stringValue)
      _ = try await phone.send(.capturePresence, FakePicture.good, headers: [("Authorization", "Bearer \(token)")])
      #expect(try await Self.watch(&phone, process) == ["presence"])
      _ = try await phone.call(.submitPresenceCheck, Self.named(process))
      #expect(try await Self.watch(&phone, process) == ["processing", "otp"])
      let code = try app.lastCode()
      for (tried, isRight) in [(WultraTestApp.wrong(code), false), (code, true)] {
        let verdict = try ReleasedClient.read(
          ReleasedClient.Verdict.self, await phone.call(.verifyOTP, Self.named(process, #","otpCode":"\#(tried)""#)))
        #expect(verdict.verified == isRight && !verdict.expired && verdict.remainingAttempts == (isRight ? 0 : 4))
      }
      #expect(try await Self.watch(&phone, process) == ["success"])
    }
  }

  @Test("refused, failed and over are screens of theirs as well")
  func ends() async throws {
    for (picture, screen) in [(FakePicture.mismatch, "rejected"), (FakePicture.unreadable, "documents")] {
      let app = try await WultraTestApp()
      try await WultraPhone.run(app) { phone in
        let process = try await phone.onboard()
        let person = Person(
          app: app, process: process, activation: .init(rawValue: try phone.device.joined().identifier.text))
        try await person.begin()
        try await person.submitAll(picture)
        #expect(try await Self.watch(&phone, process).last == screen)
        app.clock.advance(by: .hours(1))
        try await phone.app.settle()
        #expect(try await Self.watch(&phone, process) == ["failed"])
      }
    }
  }

  @Test(
    "an error that answers an encrypted call is found by those who look for a cryptogram first",
    arguments: [Wultra.Endpoint.processStatus, .verifyOTP, .submitDocuments, .initPresenceCheck, .initDocumentSDK])
  func failures(endpoint: Wultra.Endpoint) async throws {
    let app = try await WultraTestApp()
    try await WultraPhone.run(app) { phone in
      // Pictures of a device that may send none are refused before they are read.
      try await phone.begun().begin()
      let answer = try await phone.call(
        endpoint,
        Self.named(
          UUID().uuidString,
          #","otpCode":"1","data":"UEs=","resubmit":false,"attributes":{"sdk-init-token":"t"},"documents":"#
            + #"[{"filename":"a","type":"PASSPORT","side":"FRONT","originalDocumentId":null}]"#))
      #expect(answer.status == 400 && !answer.wasEncrypted)
      #expect(try JSONDecoder().decode(ReleasedClient.Cryptogram.self, from: answer.body).encryptedData == nil)
      #expect(try ReleasedClient.read(ReleasedClient.Failure.self, answer).code == "ONBOARDING_FAILED")
    }
  }
}
