// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Testing

@testable import Finaptic

@Suite("Finaptic: errors")
struct ErrorTests {
  @Test("every code of the wire is a code of the SDK, with the same family")
  func codes() {
    for code in FinapticCode.known {
      let mine = FinapticErrorCode(rawValue: code.rawValue)
      #expect(mine != nil, "\(code)")
      #expect(mine.map { FinapticError(code: $0, message: "").genericCode.rawValue } == code.family.rawValue)
    }
    #expect(FinapticErrorCode.allCases.count == FinapticCode.known.count && FinapticCode.known.count == 39)
    #expect(FinapticErrorCode.internalError == .internal)
  }

  @Test("a domain code comes with its family, the reference and what was wrong")
  func domain() {
    let body = FinapticAPI.ErrorBody(
      code: "INVALID_ARGUMENT", message: "No such account.",
      details: FinapticAPI.ErrorDetails(
        errorCode: "TRANS_INTERAC_INVALID_ACCOUNT", source: "interac", refNumber: "r-1",
        fieldViolations: [FinapticAPI.FieldViolation(field: "accountId", description: "unknown")]))
    let error = FinapticError(response(400, body))
    #expect(error.code == .transInteracInvalidAccount && error.genericCode == .invalidArgument)
    #expect(error.message == "No such account." && error.msg == error.message && error.refNumber == "r-1")
    #expect(error.fieldViolations == [FieldViolation(field: "accountId", description: "unknown")])
    #expect("\(error)" == "TRANS_INTERAC_INVALID_ACCOUNT: No such account.")
  }

  @Test("a code of the future is unknown, with its word in the message")
  func future() {
    let body = FinapticAPI.ErrorBody(
      code: "FAILED_PRECONDITION", message: "Not today.",
      details: FinapticAPI.ErrorDetails(errorCode: "MOON_PHASE", source: nil))
    let error = FinapticError(response(400, body))
    #expect(error.code == .unknown && error.genericCode == .failedPrecondition)
    #expect(error.message == "MOON_PHASE: Not today.")
  }

  @Test(
    "what something on the way says is told by its status",
    arguments: [
      (401, FinapticErrorCode.unauthenticated), (403, .permissionDenied), (404, .notFound), (429, .resourceExhausted),
      (502, .unavailable), (503, .unavailable), (504, .deadlineExceeded), (500, .internal), (302, .unknown),
      (413, .invalidArgument),
    ])
  func proxies(status: Int, code: FinapticErrorCode) {
    let error = FinapticError(TransportResponse(status: status, body: Data("<html>".utf8)))
    #expect(error.code == code && error.genericCode == code && !error.message.isEmpty)
  }

  @Test(
    "no answer at all",
    arguments: [
      (TransportError.Code.offline, FinapticErrorCode.unavailable), (.unreachable, .unavailable),
      (.connectionLost, .unavailable), (.timedOut, .deadlineExceeded), (.cancelled, .cancelled),
      (.insecure, .unavailable), (.answerTooLarge, .unknown),
    ])
  func network(code: TransportError.Code, expected: FinapticErrorCode) {
    let error = FinapticError(TransportError(code), isPinned: false)
    #expect(error.code == expected && error.cause is TransportError)
  }

  @Test("a server that pinning refused is unavailable, the cause names pinning, and it is not asked again")
  func pinning() async throws {
    let server = PlayedServer()
    var key = PlayedServer.key
    key.pins = [Data(repeating: 1, count: 32)]
    server.play(FinapticAPI.configurationPath, [PlayedServer.fail(.insecure)])
    let error = await failure { try await FinapticSDK.make(sdkKey: key.text, options: server.options()) }
    #expect(error?.code == .unavailable)
    #expect(error?.cause.map { "\($0)" }?.contains("pinning") == true)
    #expect(server.requests.count == 1)
  }

  @Test("an error always has a message")
  func message() { #expect(FinapticError(code: .internal, message: "").message == "INTERNAL") }

  private func response(_ status: Int, _ body: FinapticAPI.ErrorBody) -> TransportResponse {
    TransportResponse(status: status, body: (try? WireJSON.encode(body)) ?? Data())
  }
}
