// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import Synchronization

@testable import WultraPowerAuthNetworking

/// A phone with an activation, its networking, and an application that answers its calls.
final class Bench: Sendable {
  typealias Request = WPNRequest<[String: String]>
  typealias Response = WPNResponse<[String: String]>

  static let path = "/app/api/call"
  static let uriId = "/call"
  static let tokenName = "t"

  let phone: Phone
  let sdk: PowerAuthSDK
  let service: WPNNetworkingService

  init(isActivated: Bool = true, language: String = "en") async throws {
    phone = Phone()
    sdk = isActivated ? try await phone.activated() : phone.start()
    service = WPNNetworkingService(
      powerAuth: sdk, config: WPNConfig(baseUrl: "https://bank.example/app/"), serviceName: "bench",
      acceptLanguage: language, transport: phone.peer.transport)
  }

  /// The application takes calls by this rule and answers what the closure makes of the plain request.
  func serve(_ rule: ApplicationRule, _ answer: @escaping @Sendable (Data) -> String = Bench.echo) {
    let peer = phone.peer
    peer.state.withLock { state in
      state.application = { _, body, headers in
        do {
          let request = try peer.receive(body, headers, by: rule)
          return TransportResponse(
            status: 200, body: try peer.reply(Data(answer(request.plaintext).utf8), to: request))
        } catch let refusal as Refusal {
          return TransportResponse(
            status: refusal.status, body: Data(#"{"status":"ERROR","responseObject":{"code":"REFUSED"}}"#.utf8))
        } catch {
          return TransportResponse(status: 500, body: Data("\(error)".utf8))
        }
      }
    }
  }

  /// The application answers this, whatever comes.
  func answer(_ status: Int, _ body: String) {
    phone.peer.state.withLock { state in
      state.application = { _, _, _ in TransportResponse(status: status, body: Data(body.utf8)) }
    }
  }

  static let echo: @Sendable (Data) -> String = { plaintext in
    let request = try? JSONDecoder().decode(RequestEnvelope<[String: String]>.self, from: plaintext)
    return #"{"status":"OK","responseObject":{"said":"\#(request?.requestObject["say"] ?? "-")"}}"#
  }

  let basic = WPNEndpointBasic<Request, Response>(endpointURLPath: "/api/call")
  let signed = WPNEndpointSigned<Request, Response>(endpointURLPath: "/api/call", uriId: Bench.uriId)
  let withToken = WPNEndpointSignedWithToken<Request, Response>(
    endpointURLPath: "/api/call", tokenName: Bench.tokenName)

  /// Makes an unproved call in the clear.
  func call(_ say: String = "hello") async throws(WPNError) -> String? {
    try await service.post(data: Request(["say": say]), to: basic).responseObject?["said"]
  }

  /// The error of an unproved call.
  func failure(encrypted: Bool = false) async throws -> WPNError? {
    let encryptor = encrypted ? try await sdk.eciesEncryptorForApplicationScope() : nil
    do throws(WPNError) {
      _ = try await service.post(data: Request(["say": "hello"]), to: basic, encryptedWith: encryptor)
      return nil
    } catch {
      return error
    }
  }
}

/// What completions told.
final class Heard<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let (stream, arrival) = AsyncStream<Void>.makeStream()

  var all: [Value] { values.withLock { $0 } }

  func hear(_ value: Value) {
    values.withLock { $0.append(value) }
    arrival.yield()
  }

  /// Waits for the next one.
  func wait() async { for await _ in stream { break } }

  /// Waits for everything that is on the main queue.
  func settle() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
