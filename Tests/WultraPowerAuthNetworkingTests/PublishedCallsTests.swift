// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Synchronization
import Testing

@testable import WultraPowerAuthNetworking

@Suite("Networking: the names of networking 1.4 and 1.5")
struct PublishedCallsTests {
  private typealias Request = Bench.Request
  private typealias Response = Bench.Response

  @Test("an endpoint says with whose keys its call is encrypted, signed, with a token or without a proof")
  func scopes() async throws {
    let bench = try await Bench()
    let path = "/api/call"
    for (e2ee, identifier) in [
      (WPNE2EEConfiguration.applicationScope, EncryptorIdentifier.genericApplication),
      (.activationScope, .genericActivation),
    ] {
      bench.serve(ApplicationRule(.none, identifier))
      let basic = WPNEndpointBasic<Request, Response>(endpointURLPath: path, e2ee: e2ee)
      let answer = try await bench.service.post(data: Request(["say": "b"]), to: basic)
      #expect(answer.responseObject == ["said": "b"])
    }
    bench.serve(ApplicationRule(.signature(uriId: Bench.uriId), .genericActivation))
    let signed = WPNEndpointSigned<Request, Response>(
      endpointURLPath: path, uriId: Bench.uriId, e2ee: .activationScope)
    #expect(
      try await bench.service.post(data: Request(["say": "s"]), signedWith: .possession(), to: signed).responseObject
        == ["said": "s"])
    bench.serve(ApplicationRule(.token, .genericActivation))
    let token = WPNEndpointSignedWithToken<Request, Response>(
      endpointURLPath: path, tokenName: Bench.tokenName, e2ee: .activationScope)
    #expect(
      try await bench.service.post(data: Request(["say": "t"]), signedWith: .possession(), to: token).responseObject
        == ["said": "t"])
    bench.serve(ApplicationRule(.none, nil))
    #expect(try await bench.call("clear") == "clear")
    #expect(WPNEndpointBasic<Request, Response>(endpointURLPath: path).e2ee == .notEncrypted)
  }

  @Test("what cannot be encrypted is neither signed nor sent")
  func unencrypted() async throws {
    let bench = try await Bench()
    bench.serve(ApplicationRule(.signature(uriId: Bench.uriId), .genericActivation))
    let signed = WPNEndpointSigned<Request, Response>(
      endpointURLPath: "/api/call", uriId: Bench.uriId, e2ee: .activationScope)
    // The server gives no key to encrypt to.
    bench.phone.peer.next(.createTemporaryKey, .lost(afterActing: false))
    do throws(WPNError) {
      _ = try await bench.service.post(data: Request(["say": "s"]), signedWith: .possession(), to: signed)
      Issue.record("a call passes without a key")
    } catch {}
    #expect(bench.phone.peer.state.withLock { $0.requests.allSatisfy { $0.path != Bench.path } })
    #expect(
      try await bench.service.post(data: Request(["say": "s"]), signedWith: .possession(), to: signed).responseObject
        == ["said": "s"])
    #expect(bench.phone.peer.signatures.count == 1)
  }

  private struct Moment: Codable, Sendable, Equatable {
    let at: Date
  }

  @Test("an app's own encoder and decoder write and read the bodies")
  func coders() async throws {
    let bench = try await Bench()
    let sent = Mutex("")
    bench.phone.peer.state.withLock { state in
      state.application = { _, body, _ in
        sent.withLock { $0 = String(decoding: body, as: UTF8.self) }
        return TransportResponse(status: 200, body: Data(#"{"status":"OK","responseObject":{"at":7}}"#.utf8))
      }
    }
    let endpoint = WPNEndpointBasic<WPNRequest<Moment>, WPNResponse<Moment>>(endpointURLPath: "/api/call")
    let moment = Moment(at: Date(timeIntervalSince1970: 5))
    do throws(WPNError) {
      _ = try await bench.service.post(data: WPNRequest(moment), to: endpoint)
      Issue.record("a number is read as a date of ISO 8601")
    } catch {
      #expect(error.reason == .network_invalidResponseObject)
    }
    #expect(sent.withLock { $0 } == #"{"requestObject":{"at":"1970-01-01T00:00:05Z"}}"#)
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.dateEncodingStrategy = .secondsSince1970
    decoder.dateDecodingStrategy = .secondsSince1970
    (bench.service.jsonEncoder, bench.service.jsonDecoder) = (encoder, decoder)
    let answer = try await bench.service.post(data: WPNRequest(moment), to: endpoint)
    #expect(answer.responseObject == Moment(at: Date(timeIntervalSince1970: 7)))
    #expect(sent.withLock { $0 } == #"{"requestObject":{"at":5}}"#)
  }

  @Test("the strategy has the spelling of 1.3 and that of 1.4")
  func strategy() async throws {
    let service = try await Bench().service
    service.concurrencyStrategy = .concurrentAll
    #expect(service.concurencyStrategy == .concurentAll && service.concurrencyStrategy == .concurentAll)
    service.concurencyStrategy = .serialSigned
    #expect(service.concurrencyStrategy == .serialSigned)
  }

  private final class Log: WPNLoggerDelegate {
    let wpnFollowVerboseLevel: Bool
    let lines = Mutex<[String]>([])
    init(follows: Bool) { wpnFollowVerboseLevel = follows }

    func wpnLog(message: String, logLevel: WPNLogLevel) {
      lines.withLock { $0.append("\(logLevel) \(message)") }
    }
  }

  @Test("failed calls are logged in words and numbers, to the delegate, by the level and the limit")
  func logged() async throws {
    // No other test takes the log. Messages of other tests' calls may come between.
    try await failures()
    func said(_ log: Log) -> [String] { log.lines.withLock { $0.filter { $0.contains("page") } } }
    defer { WPNLogger.delegate = nil }
    let log = Log(follows: true)
    WPNLogger.delegate = log
    WPNLogger.log(.error, "page 1")
    WPNLogger.log(.info, "page 2")
    #expect(said(log) == ["error page 1"])
    WPNLogger.verboseLevel = .debug
    WPNLogger.characterLimit = 5
    WPNLogger.log(.debug, "page 3")
    WPNLogger.characterLimit = nil
    WPNLogger.verboseLevel = .off
    WPNLogger.log(.error, "page 4")
    #expect(said(log) == ["error page 1", "debug page "])
    let all = Log(follows: false)
    WPNLogger.delegate = all
    WPNLogger.log(.debug, "page 5")
    #expect(said(all) == ["debug page 5"])
    (WPNLogger.verboseLevel, WPNLogger.characterLimit) = (.warnings, 12_000)
  }

  /// A failed call is in the log whichever way it failed, with nothing of what went and came.
  private func failures() async throws {
    defer { WPNLogger.delegate = nil }
    let log = Log(follows: true)
    WPNLogger.delegate = log
    let bench = try await Bench()
    // Statuses that no other test's server answers.
    let answers: [(Int, String, String)] = [
      (471, #"{"status":"ERROR","responseObject":{"code":"REFUSED","message":"secret"}}"#, ", REFUSED"),
      (472, #"{"status":"ERROR","responseObject":{"code":"secret\n[WPN] page","message":"m"}}"#, ", another code"),
      (473, #"{"secret":1}"#, ""),
    ]
    for (status, body, end) in answers {
      bench.answer(status, body)
      #expect(try await bench.failure() != nil)
      let lines = log.lines.withLock { $0.filter { $0.contains("HTTP \(status)") } }
      #expect(lines.count == 1 && lines.allSatisfy { $0.hasSuffix("HTTP \(status)\(end))") }, "\(lines)")
    }
    bench.phone.peer.next(Bench.path, .lost(afterActing: false))
    #expect(try await bench.failure() != nil)
    let lines = log.lines.withLock { $0 }
    #expect(lines.contains { $0.contains("NSURLErrorDomain") })
    #expect(!lines.contains { $0.contains("secret") || $0.contains("bank.example") })
  }
}
