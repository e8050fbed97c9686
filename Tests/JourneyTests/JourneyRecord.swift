// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import RubixWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import OpenAPISupport
import Synchronization

@testable import GatehouseApp

/// What went over the wire in a test, and how any of it differs from the API's description.
final class JourneyRecord: Sendable {
  private static let base = "/api/v1/onboarding"

  private struct Notes {
    var faults: [String] = []
    var accepted: Set<String> = []
    var steps: Set<OnboardingStep> = []
  }

  private let noted = Mutex(Notes())

  /// Each difference once, as `METHOD path status: difference`.
  var faults: [String] { noted.withLock { $0.faults } }

  /// `METHOD path` of every accepted call.
  var accepted: Set<String> { noted.withLock { $0.accepted } }

  /// Every `last_step` that an application had.
  var steps: Set<OnboardingStep> { noted.withLock { $0.steps } }

  func reached(_ view: OnboardingView) { noted.withLock { _ = $0.steps.insert(view.lastStep) } }

  /// The router as the SDK's network.
  func transport(over client: any TestClientProtocol, repeating: Bool) -> HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in
      do {
        let answer = try await Self.send(request, over: client)
        self.check(request, answer)
        if repeating, answer.isSuccess, request.headers[OnboardingHeader.idempotencyKey] != nil {
          let again = try await Self.send(request, over: client)
          self.check(request, again)
          self.compare(request, answer, again)
        }
        return answer
      } catch { throw TransportError(.other) }
    }
  }

  /// The router as a browser's network: pages are no API.
  static func pages(over client: any TestClientProtocol) -> HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in
      do { return try await Self.send(request, over: client) } catch { throw TransportError(.other) }
    }
  }

  private static func send(
    _ request: TransportRequest, over client: any TestClientProtocol
  ) async throws -> TransportResponse {
    var fields = HTTPFields()
    for (name, value) in request.headers.all {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    let answer = try await client.execute(
      uri: target(request), method: HTTPRequest.Method(rawValue: request.method) ?? .get, headers: fields,
      body: request.body.map { ByteBuffer(bytes: $0) })
    var headers = TransportHeaders()
    for field in answer.headers { headers[field.name.rawName] = field.value }
    return TransportResponse(
      status: answer.status.code, headers: headers, body: Data(answer.body.readableBytesView))
  }

  private static func target(_ request: TransportRequest) -> String {
    let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    return request.url.path + (parts?.percentEncodedQuery.map { "?\($0)" } ?? "")
  }

  /// 1. The answer is one that the document names, shaped as it says.  2. What was accepted was asked for as it says.
  /// 3. Every refusal is a problem document that names the request (rubix-onboarding §1.2).
  private func check(_ request: TransportRequest, _ answer: TransportResponse) {
    let (place, method) = (Self.target(request), request.method)
    var faults: [String] = []
    do {
      let document = try OpenAPIDocument.published.get()
      faults += document.validate(
        response: (answer.status, answer.headers["content-type"], answer.body),
        headers: Dictionary(uniqueKeysWithValues: answer.headers.all.map { ($0.name, $0.value) }), method: method,
        path: place
      ).map(\.description)
      if answer.isSuccess {
        faults += document.validate(
          request: (request.headers["content-type"], request.body ?? Data()),
          headers: Dictionary(uniqueKeysWithValues: request.headers.all.map { ($0.name, $0.value) }), method: method,
          path: place
        ).map { "request \($0)" }
      }
    } catch { faults.append("the document: \(error)") }
    if !answer.isSuccess { faults += Self.faults(ofProblem: answer) }
    if answer.headers["cache-control"] != "no-store" { faults.append("it may be kept") }
    let lines = faults.map { "\(method) \(request.url.path) \(answer.status): \($0)" }
    noted.withLock { noted in
      for line in lines where !noted.faults.contains(line) { noted.faults.append(line) }
      if answer.isSuccess { noted.accepted.insert("\(method) \(request.url.path.replacing(Self.base, with: ""))") }
    }
  }

  private static func faults(ofProblem answer: TransportResponse) -> [String] {
    guard answer.headers["content-type"] == ProblemDetails.mediaType,
      let problem = try? WireJSON.decode(ProblemDetails.self, from: answer.body)
    else { return ["not a problem document"] }
    var faults: [String] = []
    if problem.status != answer.status { faults.append("the document says \(problem.status)") }
    if !(problem.type).hasSuffix("/\(problem.code.rawValue)") { faults.append("type and code differ") }
    let correlation = answer.headers[OnboardingHeader.correlationID]
    if correlation == nil || problem.instance?.hasSuffix("#\(correlation ?? "")") != true {
      faults.append("the instance does not name the request")
    }
    return faults
  }

  private func compare(_ request: TransportRequest, _ first: TransportResponse, _ second: TransportResponse) {
    let isSame = first.status == second.status && first.body == second.body
    let isMarked = second.headers[OnboardingHeader.idempotencyReplayed] == "true"
    guard !isSame || !isMarked else { return }
    let difference = isSame ? "the repetition is not marked" : "the repetition got \(second.status), another answer"
    noted.withLock { $0.faults.append("\(request.method) \(request.url.path): \(difference)") }
  }
}
