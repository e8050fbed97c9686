// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseTransport
import GatehouseWire
import RubixWire

/// A member of the institution's staff, who calls the API as any console would.
struct AgentClient: Sendable {
  private let address: URL
  private let token: String
  private let transport: HTTPTransport

  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  private init(address: URL, token: String, transport: HTTPTransport) {
    self.address = address
    self.token = token
    self.transport = transport
  }

  static func signIn(
    _ email: String, at address: URL, transport: HTTPTransport = .live()
  ) async throws -> AgentClient {
    let signedOut = AgentClient(address: address, token: "", transport: transport)
    let answer = try await signedOut.send(
      "POST", "agents/auth/token", body: AgentLoginRequest(username: email, password: DemoApp.password))
    guard let token = answer.headers[OnboardingHeader.accessToken] else {
      throw Refused(description: "the sign-in brought no token")
    }
    return AgentClient(address: address, token: token, transport: transport)
  }

  func customer(_ id: String) async throws -> Customer360 {
    try WireJSON.decode(Customer360.self, from: try await send("GET", "customers/\(id)", body: EmptyBody?.none).body)
  }

  func decide(_ request: AgentVerificationRequest) async throws -> AgentVerificationView {
    try WireJSON.decode(
      AgentVerificationView.self, from: try await send("POST", "agents/verification", body: request).body)
  }

  /// Asks a customer under review for other pictures.
  func ask(_ id: String, for pictures: [DocumentType], words: String) async throws {
    struct Retake: Encodable {
      let retake: [DocumentType]
      let words: String
    }
    _ = try await send("POST", "customers/\(id)/retake", body: Retake(retake: pictures, words: words))
  }

  /// Every open hit is another person.
  func clear(_ id: String, _ screening: ScreeningResult) async throws -> ScreeningResult {
    let request = ScreeningDecisionRequest(
      hits: screening.hits.map { HitDecision(list: $0.list, entityID: $0.entityID, disposition: .falsePositive) },
      notes: "Another person of the same name: the place of birth differs.")
    return try WireJSON.decode(
      ScreeningResult.self, from: try await send("POST", "customers/\(id)/aml/decision", body: request).body)
  }

  /// Looks at every picture of the review that waits longest, and decides it.
  /// - Returns: false when none waits.
  func decideReview(accepting: Bool) async throws -> Bool {
    let queue = try await send("GET", "agents/wultra/reviews", body: EmptyBody?.none)
    guard let id = try WireJSON.decode(ReviewList.self, from: queue.body).reviews.first?.review_id else { return false }
    let path = "agents/wultra/reviews/\(id)"
    let review = try WireJSON.decode(
      ReviewList.Review.self, from: try await send("GET", path, body: EmptyBody?.none).body)
    for picture in review.pictures ?? [] {
      _ = try await send("GET", "\(path)/pictures/\(picture.number)", body: EmptyBody?.none)
    }
    try await decide(review: id, accepting: accepting)
    return true
  }

  func decide(review id: String, accepting: Bool) async throws {
    let verdict = ["verdict": accepting ? "accepted" : "rejected"]
    _ = try await send("POST", "agents/wultra/reviews/\(id)/decision", body: verdict)
  }

  private struct ReviewList: Decodable {
    struct Review: Decodable {
      struct Picture: Decodable { let number: Int }
      let review_id: String
      let pictures: [Picture]?
    }
    let reviews: [Review]
  }

  func send(
    _ method: String, _ path: String, query: [URLQueryItem] = [], body: (some Encodable)?
  ) async throws -> TransportResponse {
    var headers: TransportHeaders = ["accept": "application/json"]
    if !token.isEmpty { headers[OnboardingHeader.accessToken] = token }
    if body != nil { headers["content-type"] = "application/json" }
    let answer = try await transport.send(
      TransportRequest(
        method: method,
        url: address.appending(path: "api/v1/onboarding/\(path)").appending(queryItems: query), headers: headers,
        body: try body.map { try WireJSON.encode($0) }))
    guard answer.isSuccess else {
      let problem = try? WireJSON.decode(ProblemDetails.self, from: answer.body)
      throw Refused(description: "\(method) \(path): \(answer.status) \(problem?.code.rawValue ?? "")")
    }
    return answer
  }
}
