// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: what was heard and is sent again")
struct RepetitionTests {
  @Test("a signature, a token's digest and an envelope count once each", arguments: ProtocolVersion.allCases)
  func once(version: ProtocolVersion) async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone(version)
      let words = try Phone.words("hello")
      let signature = try phone.signatureHeader("/app/signed", over: words)
      let token = try phone.tokenHeader(try await phone.createToken())
      let (envelope, _) = try await phone.sealed(words, .genericApplication)
      let encryption = try phone.encryptionHeader(ofActivation: false)
      #expect(try await phone.send("/app/signed", headers: [signature], body: words).status == 401)
      let fresh = try phone.signatureHeader("/app/signed", over: words)
      for (path, header, body, refusal) in [
        ("/app/signed", fresh, words, Refusal.signature), ("/app/token", token, words, Refusal.token),
        ("/app/application", encryption, envelope, Refusal.encryption),
      ] {
        #expect(try await phone.send(path, headers: [header], body: body).status == 200)
        for _ in 0..<3 { #expect(try await phone.send(path, headers: [header], body: body).refusal == refusal) }
      }
    }
  }

  @Test("an envelope that is too old or from the future is refused, however new")
  func times() async throws {
    try await PowerAuthTestApp.run { app in
      let phone = try await app.activePhone(.v32)
      let header = try phone.encryptionHeader(ofActivation: false)
      for (offset, isTaken) in [(-60_000, true), (-60_001, false), (60_000, true), (60_001, false)] {
        let time = UInt64(Int64(app.now) + Int64(offset))
        let (request, _) = try phone.device.encrypt(Phone.words("hi"), .genericApplication, now: time)
        let answer = try await phone.send(
          "/app/application", headers: [header], body: JSONEncoder().encode(request))
        #expect((answer.status == 200) == isTaken, "\(offset)")
      }
    }
  }

  @Test("a token's digest lives two hours, and half an hour ahead is allowed")
  func tokenTimes() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let (token, words) = (try await phone.createToken(), try Phone.words("hello"))
      for (offset, isTaken) in [(-7_200_000, true), (-7_200_001, false), (1_800_000, true), (1_800_001, false)] {
        let header = try phone.tokenHeader(token, at: UInt64(Int64(app.now) + Int64(offset)))
        #expect((try await phone.send("/app/token", headers: [header], body: words).status == 200) == isTaken)
      }
    }
  }

  @Test("of eight that race with one signature, or with one digest, or with one envelope, one is accepted")
  func races() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("hello")
      let token = try phone.tokenHeader(try await phone.createToken())
      let (envelope, _) = try await phone.sealed(words, .genericApplication)
      let encryption = try phone.encryptionHeader(ofActivation: false)
      let signature = try phone.signatureHeader("/app/signed", over: words)
      for (path, header, body) in [
        ("/app/signed", signature, words), ("/app/token", token, words), ("/app/application", encryption, envelope),
      ] {
        let sender = phone
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<8 {
            group.addTask { try await sender.send(path, headers: [header], body: body).status }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1, "\(path) \(statuses)")
        #expect(statuses.allSatisfy { (200...499).contains($0) })
      }
    }
  }

  @Test("eight different signatures with one counter value: one is accepted")
  func oneCounter() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let counter = try phone.device.joined().counter
      var requests: [(body: Data, header: (String, String))] = []
      for number in 0..<8 {
        phone.device.setCounter(counter)
        let words = try Phone.words("transfer \(number)")
        requests.append((words, try phone.signatureHeader("/app/signed", over: words)))
      }
      let (sender, all) = (phone, requests)
      let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
        for request in all {
          group.addTask {
            try await sender.send("/app/signed", headers: [request.header], body: request.body).status == 200
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(accepted == 1)
      #expect(try await phone.status().status.counterByte == 1)
    }
  }
}
