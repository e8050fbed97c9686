// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import PowerAuthCore
import PowerAuthPeer
import TestSupport
import Testing

@testable import WultraPowerAuthNetworking

@Suite("Networking: answers and errors")
struct AnswerTests {
  @Test(
    "a refusal in the clear is read although the request was encrypted, with the server's timestamp and without",
    arguments: ["", #","timestamp":1800000000000"#])
  func refusalOfEncrypted(extra: String) async throws {
    let bench = try await Bench()
    bench.answer(400, #"{"status":"ERROR","responseObject":{"code":"ONBOARDING_FAILED","message":"m"}\#(extra)}"#)
    let error = try #require(try await bench.failure(encrypted: true))
    #expect(error.restApiError == WPNRestApiError(code: "ONBOARDING_FAILED", message: "m"))
    #expect(error.restApiError?.errorCode == .onboardingFailed && error.httpStatusCode == 400)
    #expect(error.reason == .network_generic && error.httpUrlResponse?.statusCode == 400)
  }

  @Test("good news in the clear is not believed when the request was encrypted")
  func forgedSuccess() async throws {
    let bench = try await Bench()
    bench.answer(200, #"{"status":"OK","responseObject":{"said":"forged"}}"#)
    #expect(try await bench.failure(encrypted: true)?.reason == .network_invalidResponseObject)
    // Neither is what was encrypted for another device.
    bench.answer(
      200,
      #"{"encryptedData":"AAAAAAAAAAAAAAAAAAAAAA==","mac":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","nonce":"AAAAAAAAAAAAAAAAAAAAAA==","timestamp":1800000000000}"#
    )
    #expect(try await bench.failure(encrypted: true)?.reason == .network_invalidResponseObject)
  }

  @Test("an unknown code is kept and equals no known code")
  func unknownCode() async throws {
    let bench = try await Bench()
    bench.answer(418, #"{"status":"ERROR","responseObject":{"code":"NEW_CODE","message":"m","more":[1]}}"#)
    let error = try #require(try await bench.failure())
    #expect(error.restApiError?.code == "NEW_CODE" && error.restApiError?.errorCode == nil)
  }

  @Test(
    "what a status and a body mean",
    arguments: [
      (200, #"{"status":"ERROR","responseObject":{"code":"C"}}"#, WPNErrorReason.network_generic),
      (200, #"{"status":"ERROR"}"#, .network_generic),
      (200, #"{"status":"ERROR","responseObject":null}"#, .network_generic),
      (200, #"{"status":"MAYBE","responseObject":{}}"#, .network_invalidResponseObject),
      (200, #"{"status":"OK"}"#, .network_invalidResponseObject),
      (200, #"{"status":"OK","responseObject":null}"#, .network_invalidResponseObject),
      (200, "", .network_invalidResponseObject), (200, "<html>", .network_invalidResponseObject),
      (500, "", .network_errorStatusCode), (502, "<html>", .network_errorStatusCode),
      (404, "{}", .network_errorStatusCode),
      (500, #"{"status":"OK","responseObject":{"said":"x"}}"#, .network_errorStatusCode),
      (401, #"{"status":"ERROR","responseObject":{"code":"ERR_AUTHENTICATION","message":"m"}}"#, .network_generic),
    ])
  func meanings(status: Int, body: String, reason: WPNErrorReason) async throws {
    let bench = try await Bench()
    bench.answer(status, body)
    for encrypted in [false, true] {
      let error = try #require(try await bench.failure(encrypted: encrypted))
      #expect(error.reason == reason && error.httpStatusCode == status)
    }
  }

  @Test("unknown members are passed over, and null is as good as missing")
  func tolerance() async throws {
    struct Answer: Codable { let name: String?, when: Date? }
    let data = Data(
      #"{"status":"OK","timestamp":1,"responseObject":{"name":null,"more":{"a":[null]},"when":"2026-11-21T18:00:00.250Z"}}"#
        .utf8)
    let answer = try WPNJSON.decode(WPNResponse<Answer>.self, from: data)
    #expect(answer.responseObject?.name == nil)
    #expect(try #require(answer.responseObject?.when).timeIntervalSince1970 == 1_795_284_000.25)
    let plain = try WPNJSON.decode(
      WPNResponse<Answer>.self,
      from: Data(#"{"status":"OK","responseObject":{"when":"2026-11-21T18:00:00Z"}}"#.utf8))
    #expect(try #require(plain.responseObject?.when).timeIntervalSince1970 == 1_795_284_000)
    #expect(throws: (any Error).self) {
      try WPNJSON.decode(
        WPNResponse<Answer>.self, from: Data(#"{"status":"OK","responseObject":{"when":"yesterday"}}"#.utf8))
    }
    let list = try WPNJSON.decode(
      WPNResponseArray<Int>.self, from: Data(#"{"status":"OK","responseObject":[1,2]}"#.utf8))
    #expect(list.responseObject == [1, 2])
    let nothing = try WPNJSON.decode(WPNResponseBase.self, from: Data(#"{"status":"OK","responseObject":null}"#.utf8))
    #expect(nothing.status == .Ok && nothing.responseError == nil)
  }

  @Test("requests are wrapped, dates are ISO 8601, and an empty request is an empty object")
  func requests() throws {
    struct Question: Codable { let when: Date, path: String }
    let wrapped = WPNRequest(Question(when: Date(timeIntervalSince1970: 1_795_284_000), path: "a/b"))
    let text = String(decoding: try WPNJSON.encode(wrapped), as: UTF8.self)
    #expect(text.contains(#""when":"2026-11-21T18:00:00Z""#) && text.hasPrefix(#"{"requestObject":{"#))
    #expect(String(decoding: try WPNJSON.encode(WPNRequestBase()), as: UTF8.self) == "{}")
  }

  @Test(
    "a failure of the network has its reason, and its number of URLSession",
    arguments: [
      (TransportError.Code.timedOut, WPNErrorReason.network_timeOut, NSURLErrorTimedOut),
      (.offline, .network_noInternetConnection, NSURLErrorNotConnectedToInternet),
      (.unreachable, .network_generic, NSURLErrorCannotConnectToHost),
      (.connectionLost, .network_generic, NSURLErrorNetworkConnectionLost),
      (.insecure, .network_sslError, NSURLErrorSecureConnectionFailed),
      (.invalidAnswer, .network_badServerResponse, NSURLErrorBadServerResponse),
      (.cancelled, .canceled, NSURLErrorCancelled),
    ])
  func network(code: TransportError.Code, reason: WPNErrorReason, number: Int) async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    try await sdk.timeSynchronizationService.synchronizeTime()
    let service = WPNNetworkingService(
      powerAuth: sdk, config: WPNConfig(baseUrl: "https://bank.example"), serviceName: "s",
      transport: HTTPTransport { (_, _) async throws(TransportError) in throw TransportError(code) })
    do throws(WPNError) {
      _ = try await service.post(
        data: WPNRequestBase(), to: WPNEndpointBasic<WPNRequestBase, WPNResponseBase>(endpointURLPath: "a"))
      Issue.record("no error")
    } catch {
      #expect(error.reason == reason && error.domain == NSURLErrorDomain && error.code == number)
      #expect(error.networkIsNotReachable == (code == .offline))
      #expect(error.networkConnectionIsNotTrusted == (code == .insecure))
      #expect(error.httpStatusCode == nil && error.restApiError == nil)
    }
  }

  @Test("a limit of time that is no number is the shortest one, and ends no app")
  func strangeTimeout() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    try await sdk.timeSynchronizationService.synchronizeTime()
    for (seconds, deadline) in [(Double.nan, Duration.milliseconds(1)), (1e300, .seconds(3600))] {
      let service = WPNNetworkingService(
        powerAuth: sdk, config: WPNConfig(baseUrl: "https://bank.example"), serviceName: "s",
        transport: HTTPTransport { (request, _) async throws(TransportError) in
          #expect(request.deadline == deadline)
          throw TransportError(.offline)
        })
      await #expect {
        _ = try await service.post(
          data: WPNRequestBase(), to: WPNEndpointBasic<WPNRequestBase, WPNResponseBase>(endpointURLPath: "a"),
          timeoutInterval: seconds)
      } throws: { ($0 as? WPNError)?.reason == .network_noInternetConnection }
    }
  }

  @Test("a failure before the call, of the PowerAuth instance, is told with its reason")
  func before() async throws {
    let bench = try await Bench()
    bench.sdk.timeSynchronizationService.resetTimeSynchronization()
    bench.phone.peer.next(.serverStatus, .lost(afterActing: false))
    let lost = try #require(try await bench.failure())
    #expect(lost.reason == .network_generic && lost.powerAuthErrorCode == .networkError)
    #expect(lost.code == 1 && lost.powerAuthErrorMessage != nil)
    bench.phone.peer.next(
      .serverStatus, .body(#"{"status":"ERROR","responseObject":{"code":"ERROR_GENERIC","message":"m"}}"#, status: 503))
    let refused = try #require(try await bench.failure())
    #expect(refused.httpStatusCode == 503 && refused.powerAuthRestApiError?.responseObject?.code == "ERROR_GENERIC")
  }

  @Test(
    "an invalid address fails every call, and sends nothing",
    arguments: [
      "", "not an address", "ftp://a.example", "https://", "/relative",
    ])
  func address(text: String) async throws {
    let phone = Phone()
    let service = WPNNetworkingService(
      powerAuth: try await phone.activated(), config: WPNConfig(baseUrl: text), serviceName: "s",
      transport: .unexpected { _ in Issue.record("something was sent") })
    await #expect {
      _ = try await service.post(
        data: WPNRequestBase(), to: WPNEndpointBasic<WPNRequestBase, WPNResponseBase>(endpointURLPath: "a"))
    } throws: { ($0 as? WPNError)?.reason == .network_invalidRequestObject }
  }

  @Test(
    "base and path are joined by one slash",
    arguments: [
      "https://a.example/b", "https://a.example/b/",
    ])
  func joined(base: String) {
    for path in ["/c/d", "c/d"] {
      #expect(WPNConfig(baseUrl: base).url(of: path)?.absoluteString == "https://a.example/b/c/d")
    }
  }

  @Test("a wrapped error keeps what it knows, and an error says nothing personal")
  func wrapped() async throws {
    let bench = try await Bench()
    bench.answer(400, #"{"status":"ERROR","responseObject":{"code":"C","message":"secret"}}"#)
    let error = try #require(try await bench.failure())
    let wrapped = WPNError.wrap(.unknown, error)
    #expect(wrapped.reason == .unknown && wrapped.restApiError == error.restApiError && wrapped.httpStatusCode == 400)
    #expect(WPNError.wrap(.unknown, CancellationError()).nestedError is CancellationError)
    #expect(!"\(error)".contains("secret") && !"\(error)".contains("bank.example") && "\(error)".contains("HTTP 400"))
  }

  @Test("the known codes are the published ones")
  func codes() {
    #expect(
      WPNKnownRestApiError.allCases.map(\.rawValue).joined(separator: " ")
        == """
        ERROR_GENERIC POWERAUTH_AUTH_FAIL INVALID_REQUEST INVALID_ACTIVATION INVALID_APPLICATION INVALID_OPERATION \
        ERR_ACTIVATION ERR_AUTHENTICATION ERR_SECURE_VAULT ERR_ENCRYPTION PUSH_REGISTRATION_FAILED \
        OPERATION_ALREADY_FINISHED OPERATION_ALREADY_FAILED OPERATION_ALREADY_CANCELED OPERATION_EXPIRED \
        OPERATION_FAILED ACTIVATION_CODE_FAILED ONBOARDING_FAILED ONBOARDING_PROCESS_LIMIT_REACHED \
        TOO_MANY_ONBOARDING_PROCESSES ONBOARDING_OTP_FAILED INVALID_DOCUMENT DOCUMENT_SUBMIT_FAILED \
        IDENTITY_VERIFICATION_FAILED IDENTITY_VERIFICATION_LIMIT_REACHED DOCUMENT_VERIFICATION_FAILED \
        PRESENCE_CHECK_FAILED PRESENCE_CHECK_NOT_ENABLED PRESENCE_CHECK_LIMIT_REACHED TOO_MANY_REQUESTS \
        REMOTE_COMMUNICATION_ERROR
        """)
    #expect(WPNErrorReason.network_sslError.rawValue == "network_sslErrror")
  }

  @Test("whatever bytes come, the call ends with an error and not with a crash")
  func rubbish() async throws {
    let bench = try await Bench()
    let bytes = SeededBytes(4711)
    let good = Array(#"{"status":"OK","responseObject":{"said":"x"},"encryptedData":"AAAA","mac":"AAAA"}"#.utf8)
    for round in 0..<150 {
      var body = good
      for _ in 0...(round % 6) {
        let draw = bytes.next(3)
        let place = Int(draw[0]) % body.count
        switch draw[1] % 3 {
        case 0: body[place] = draw[2]
        case 1: body.remove(at: place)
        default: body.insert(draw[2], at: place)
        }
      }
      let spoilt = Data(body)
      bench.phone.peer.state.withLock { state in
        state.application = { _, _, _ in TransportResponse(status: 200, body: spoilt) }
      }
      // In the clear a spoilt text may still be an answer; encrypted it never is.
      _ = try await bench.failure()
      #expect(try await bench.failure(encrypted: true) != nil)
    }
  }
}
