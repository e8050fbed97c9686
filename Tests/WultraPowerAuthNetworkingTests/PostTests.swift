// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Synchronization
import Testing

@testable import WultraPowerAuthNetworking

@Suite("Networking: posts")
struct PostTests {
  private enum Scope: CaseIterable { case clear, application, activation }

  private func encryptor(_ scope: Scope, _ sdk: PowerAuthSDK) async throws -> PowerAuthCoreEciesEncryptor? {
    switch scope {
    case .clear: nil
    case .application: try await sdk.eciesEncryptorForApplicationScope()
    case .activation: try await sdk.eciesEncryptorForActivationScope()
    }
  }

  /// As code without `await` has it.
  private func atOnce(_ sdk: PowerAuthSDK) -> PowerAuthCoreEciesEncryptor? { sdk.eciesEncryptorForActivationScope() }

  private func identifier(_ scope: Scope) -> EncryptorIdentifier? {
    switch scope {
    case .clear: nil
    case .application: .genericApplication
    case .activation: .genericActivation
    }
  }

  @Test("an unproved call arrives and its answer is read, in the clear and in both scopes")
  func unproved() async throws {
    let bench = try await Bench()
    for scope in Scope.allCases {
      bench.serve(ApplicationRule(.none, identifier(scope)))
      let answer = try await bench.service.post(
        data: Bench.Request(["say": "a/b"]), to: bench.basic, encryptedWith: encryptor(scope, bench.sdk))
      #expect(answer.responseObject == ["said": "a/b"] && answer.status == .Ok)
    }
  }

  @Test("a signed call is signed in the clear and carries no header of the encryption")
  func signed() async throws {
    let bench = try await Bench()
    for scope in [Scope.clear, .activation] {
      bench.serve(ApplicationRule(.signature(uriId: Bench.uriId), identifier(scope)))
      let answer = try await bench.service.post(
        data: Bench.Request(["say": "1"]), signedWith: .possession(), to: bench.signed,
        encryptedWith: encryptor(scope, bench.sdk))
      #expect(answer.responseObject == ["said": "1"])
    }
    let pin = try await bench.service.post(
      data: Bench.Request(["say": "2"]), signedWith: .possessionWithPassword(Phone.pin), to: bench.signed,
      encryptedWith: encryptor(.activation, bench.sdk))
    #expect(pin.responseObject == ["said": "2"])
    #expect(bench.phone.peer.signatures.map(\.type) == [.possession, .possession, .possessionKnowledge])
  }

  @Test("a call with a token makes the token once and carries the header of the encryption")
  func token() async throws {
    let bench = try await Bench()
    for scope in [Scope.clear, .activation, .activation] {
      bench.serve(ApplicationRule(.token, identifier(scope)))
      let answer = try await bench.service.post(
        data: Bench.Request(["say": "t"]), signedWith: .possession(), to: bench.withToken,
        encryptedWith: encryptor(scope, bench.sdk))
      #expect(answer.responseObject == ["said": "t"])
    }
    #expect(bench.phone.peer.count(of: .createToken) == 1)
  }

  @Test("the published calls complete on the queue that they are told, once")
  func completions() async throws {
    let bench = try await Bench()
    let heard = Heard<String?>()
    let queue = DispatchQueue(label: "completions")
    bench.serve(ApplicationRule(.none))
    bench.service.post(data: Bench.Request(["say": "1"]), to: bench.basic) { answer, error in
      dispatchPrecondition(condition: .onQueue(.main))
      heard.hear(error == nil ? answer?.responseObject?["said"] : nil)
    }
    await heard.wait()
    bench.serve(ApplicationRule(.signature(uriId: Bench.uriId)))
    bench.service.post(
      data: Bench.Request(["say": "2"]), signedWith: .possession(), to: bench.signed, completionQueue: queue
    ) { answer, error in
      dispatchPrecondition(condition: .onQueue(queue))
      heard.hear(error == nil ? answer?.responseObject?["said"] : nil)
    }
    await heard.wait()
    bench.serve(ApplicationRule(.token))
    bench.service.post(
      data: Bench.Request(["say": "3"]), signedWith: .possession(), to: bench.withToken, completionQueue: queue
    ) { answer, error in
      heard.hear(error == nil ? answer?.responseObject?["said"] : nil)
    }
    await heard.wait()
    #expect(heard.all == ["1", "2", "3"])
  }

  @Test("headers are the published ones, in the language of the moment; the caller's go first")
  func headers() async throws {
    let bench = try await Bench(language: "cs")
    let seen = Mutex<[TransportHeaders]>([])
    bench.phone.peer.state.withLock { state in
      state.application = { _, _, headers in
        seen.withLock { $0.append(headers) }
        return TransportResponse(status: 200, body: Data(#"{"status":"OK","responseObject":{}}"#.utf8))
      }
    }
    _ = try await bench.call()
    bench.service.acceptLanguage = "de, en;q=0.5"
    _ = try await bench.service.post(
      data: Bench.Request([:]), to: bench.basic, with: ["User-Agent": "mine", "X-More": "1"])
    let headers = seen.withLock { $0 }
    #expect(headers[0]["Accept-Language"] == "cs" && headers[0]["Content-Type"] == "application/json")
    #expect(headers[0]["Accept"] == "application/json")
    let agent = try #require(headers[0]["User-Agent"])
    #expect(
      agent.wholeMatch(of: /PowerAuthNetworking\/1\.3\.1 \([^;]+; [a-z]+\) \S+\/\S* \([^;]+; [^;]+; [^)]+\)/) != nil)
    #expect(headers[1]["Accept-Language"] == "de, en;q=0.5")
    #expect(headers[1]["User-Agent"] == "mine" && headers[1]["X-More"] == "1")
  }

  @Test("an encryptor of the moment, as SDK 1.8 gave it, works before the server's time is known")
  func promptEncryptor() async throws {
    let bench = try await Bench()
    bench.serve(ApplicationRule(.none, .genericActivation))
    bench.sdk.timeSynchronizationService.resetTimeSynchronization()
    let encryptor = try #require(atOnce(bench.sdk))
    let answer = try await bench.service.post(
      data: Bench.Request(["say": "now"]), to: bench.basic, encryptedWith: encryptor)
    #expect(answer.responseObject == ["said": "now"])
  }

  @Test("progress grows, is the share of bytes that left, and ends at all of them")
  func progress() async throws {
    let bench = try await Bench()
    let fractions = Mutex<[Double]>([])
    bench.serve(ApplicationRule(.none, .genericApplication))
    _ = try await bench.service.post(
      data: Bench.Request(["say": String(repeating: "x", count: 40_000)]), to: bench.basic,
      encryptedWith: encryptor(.application, bench.sdk),
      progressCallback: { fraction in fractions.withLock { $0.append(fraction) } })
    let told = fractions.withLock { $0 }
    // The peer's network reports a quarter, a half twice, a third late, and all.
    #expect(told.count == 3 && told.last == 1)
    #expect(zip(told, [0.25, 0.5, 1]).allSatisfy { abs($0 - $1) < 0.001 })
    #expect(zip(told, told.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("who taps the answers sees them as they came, and decrypted")
  func delegate() async throws {
    final class Tap: WPNResponseDelegate {
      let seen = Mutex<[(encrypted: Bool, status: Int?, body: String)]>([])
      func responseReceived(from url: URL, statusCode: Int?, body: Data) {
        seen.withLock { $0.append((false, statusCode, String(decoding: body, as: UTF8.self))) }
      }
      func encryptedResponseReceived(from url: URL, statusCode: Int?, body: Data, decrypted: Data) {
        #expect(body != decrypted)
        seen.withLock { $0.append((true, statusCode, String(decoding: decrypted, as: UTF8.self))) }
      }
    }
    let bench = try await Bench()
    let tap = Tap()
    bench.service.responseDelegate = tap
    bench.serve(ApplicationRule(.none))
    _ = try await bench.call("1")
    bench.serve(ApplicationRule(.none, .genericApplication))
    _ = try await bench.service.post(
      data: Bench.Request(["say": "2"]), to: bench.basic, encryptedWith: encryptor(.application, bench.sdk))
    bench.answer(400, #"{"status":"ERROR","responseObject":{"code":"C","message":"M"}}"#)
    _ = try await bench.failure(encrypted: true)
    let seen = tap.seen.withLock { $0 }
    #expect(seen.map(\.encrypted) == [false, true, false] && seen.map(\.status) == [200, 200, 400])
    #expect(seen[0].body.contains(#""said":"1""#) && seen[1].body.contains(#""said":"2""#))
  }
}
