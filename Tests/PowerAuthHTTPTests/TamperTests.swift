// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

/// Makes requests of one kind, each of which would be accepted as it is.
private struct Sample: Sendable {
  typealias Request = (headers: [(String, String)], body: Data)

  let name: String
  let path: String
  /// Anew for each change where a refused request spends something: an envelope, a token's digest.
  let make: @Sendable () throws -> Request
}

@Suite("PowerAuth: a byte that was changed on the way")
struct TamperTests {
  /// One of each kind. Nothing of them was sent.
  private static func samples(_ app: PowerAuthTestApp, _ phone: inout Phone) async throws -> [Sample] {
    let base = PowerAuthTestApp.base
    let words = try Phone.words("pay 10")
    let token = try await phone.createToken()
    let keys = (
      activation: try await phone.temporaryKey(ofActivation: true),
      application: try await phone.temporaryKey(ofActivation: false)
    )
    let started = try await app.activations.initiate(
      .init(application: app.release.application.id, user: "eve"), by: .system)
    let own = try JSONEncoder().encode(
      phone.device.encrypt(Data("{}".utf8), .createToken, temporaryKey: keys.activation, now: app.now).request)
    let joining = try JSONEncoder().encode(
      phone.device.join(.code, ["code": started.code.text], temporaryKey: keys.application, now: app.now).request)
    let application = try JSONEncoder().encode(
      phone.device.encrypt(words, .genericApplication, temporaryKey: keys.application, now: app.now).request)
    // In the order in which they are sent at last: counters go up.
    let signed = try phone.signatureHeader("/app/signed", over: words)
    let signedOwn = try phone.signatureHeader("/pa/token/create", over: own)
    let signedFirst = try phone.signatureHeader("/app/signed-encrypted", over: words)
    let device = phone
    let envelope: @Sendable () throws -> Data = {
      try JSONEncoder().encode(
        device.device.encrypt(words, .genericActivation, temporaryKey: keys.activation, now: app.now).request)
    }
    let (scope, everybody) = (
      try phone.encryptionHeader(ofActivation: true), try phone.encryptionHeader(ofActivation: false)
    )
    return [
      Sample(name: "signed", path: "/app/signed") { ([signed], words) },
      Sample(name: "encrypted, then signed", path: base + PowerAuthEndpoint.createToken.rawValue) {
        ([signedOwn], own)
      },
      Sample(name: "signed, then encrypted", path: "/app/signed-encrypted") { ([signedFirst], try envelope()) },
      Sample(name: "token", path: "/app/token") { ([try device.tokenHeader(token)], words) },
      Sample(name: "token and envelope", path: "/app/token-encrypted") {
        ([try device.tokenHeader(token), scope], try envelope())
      },
      Sample(name: "application's envelope", path: "/app/application") { ([everybody], application) },
      Sample(name: "new device", path: base + PowerAuthEndpoint.createActivation.rawValue) { ([everybody], joining) },
    ]
  }

  /// The same bytes with one of them changed.
  private static func changed(_ bytes: Data, at place: Int, by mask: UInt8) -> Data {
    var bytes = bytes
    bytes[bytes.startIndex + place] ^= mask
    return bytes
  }

  /// Where a signature's header names the version. No signature of the protocol covers it, and the versions from 3.1
  /// on sign alike: it says how to read, not what was meant. Envelopes and tokens do cover it.
  private static func version(in header: (String, String)) -> Range<Int> {
    guard header.0 == SignatureHeader.name, let range = header.1.firstRange(of: /pa_version="3\.[0-3]"/) else {
      return 0..<0
    }
    let end = header.1.utf8.distance(from: header.1.startIndex, to: range.upperBound)
    return (end - 2)..<(end - 1)
  }

  /// Whether changed bytes are refused follows from them and not from the engine. On SQLite each one is changed; on
  /// PostgreSQL, where each request costs more, one of so many in every kind of request.
  private static let step = Engine.current == .postgres ? 5 : 1

  @Test(
    "each byte of each header and body, changed alone, is refused and leaves no trace",
    arguments: [ProtocolVersion.v32, .v33])
  func everyByte(version: ProtocolVersion) async throws {
    try await PowerAuthTestApp.run(policy: .patient) { app in
      var phone = try await app.activePhone(version)
      let samples = try await Self.samples(app, &phone)
      let before = try await app.traces()
      for sample in samples {
        for (number, header) in try sample.make().headers.enumerated() {
          let skipped = Self.version(in: header)
          for place in stride(from: 0, to: header.1.utf8.count, by: Self.step) where !skipped.contains(place) {
            // One changes a character into its neighbour, the other a letter's case.
            for mask in [1, 0x20] as [UInt8] {
              var (headers, body) = try sample.make()
              let value = Data(headers[number].1.utf8)
              // No field holds control characters: the client would put spaces in their place.
              guard mask == 1 || value[place] >= 0x40 else { continue }
              headers[number].1 = String(decoding: Self.changed(value, at: place, by: mask), as: UTF8.self)
              try await Self.expectRefusal(sample, "\(headers[number].0) \(place)", headers, body, phone)
            }
          }
        }
        // Of a token the body is no part.
        guard sample.name != "token" else { continue }
        for place in stride(from: 0, to: try sample.make().body.count, by: Self.step) {
          let (headers, body) = try sample.make()
          // Escaped slashes make one envelope longer than another.
          guard place < body.count else { continue }
          try await Self.expectRefusal(
            sample, "body \(place)", headers, Self.changed(body, at: place, by: 1), phone)
        }
      }
      #expect(try await app.traces() == before)
      for sample in samples {
        let (headers, body) = try sample.make()
        #expect(try await phone.send(sample.path, headers: headers, body: body).status == 200, "\(sample.name)")
      }
    }
  }

  private static func expectRefusal(
    _ sample: Sample, _ place: String, _ headers: [(String, String)], _ body: Data, _ phone: Phone
  ) async throws {
    let answer = try await phone.send(sample.path, headers: headers, body: body)
    #expect((400...401).contains(answer.status), "\(sample.name), \(place): \(answer.status)")
  }

  @Test("a counted signature over something else counts once and proves nothing")
  func counted() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("pay 10")
      let header = try phone.signatureHeader("/pa/signature/validate", .possessionKnowledge, over: words)
      let other = try Phone.words("pay 11")
      #expect(try await phone.send(.validateSignature, headers: [header], body: other).refusal == Refusal.signature)
      #expect(try await phone.status().status.remainingAttempts == 4)
      #expect(try await phone.send(.validateSignature, headers: [header], body: words).status == 200)
      #expect(try await phone.status().status.remainingAttempts == 5)
    }
  }

  @Test("an answer that was changed does not open", arguments: [ProtocolVersion.v32, .v33])
  func answers(version: ProtocolVersion) async throws {
    try await PowerAuthTestApp.run { app in
      let phone = try await app.activePhone(version)
      let (body, opener) = try await phone.sealed(Phone.words("hello"), .genericActivation)
      let answer = try await phone.send(
        "/app/activation", headers: [phone.encryptionHeader(ofActivation: true)], body: body)
      let whole = try answer.decode(ECIESResponse.self)
      #expect(throws: Never.self) { try opener.decrypt(whole) }
      for place in answer.body.indices {
        let bytes = Self.changed(answer.body, at: place, by: 1)
        guard let response = try? JSONDecoder().decode(ECIESResponse.self, from: bytes) else { continue }
        #expect(throws: PowerAuthError.self, "byte \(place)") { try opener.decrypt(response) }
      }
    }
  }
}
