// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit
import Kit

extension PushGateway {
  /// Firebase Cloud Messaging, HTTP v1, with an access token of a service account (RFC 7523).
  package static func fcm(_ settings: FCMSettings, http: PeerHTTP, world: World) -> PushGateway {
    let sender = FCMSender(settings: settings, http: http, world: world)
    return PushGateway { try await sender.send($0) }
  }
}

private struct FCMSender: Sendable {
  private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
  /// How long before its end an access token is replaced.
  private static let margin = Duration.minutes(2)
  /// Google's tokens are a few hundred bytes; a delivery service that says much more is not one.
  private static let tokenMax = 4096

  private let settings: FCMSettings
  private let http: PeerHTTP
  private let world: World
  private let tokens: RenewedToken

  init(settings: FCMSettings, http: PeerHTTP, world: World) {
    self.settings = settings
    self.http = http
    self.world = world
    tokens = RenewedToken(world: world) { try await Self.accessToken(settings, http, world) }
  }

  func send(_ message: PushMessage) async throws -> PushGateway.Outcome {
    guard (1...4096).contains(message.token.utf8.count) else { return .tokenRefused }
    let token = try await tokens.text()
    let answer = try await http.deliver(
      .init(
        "POST", "\(settings.base)/v1/projects/\(settings.project)/messages:send",
        headers: ["authorization": "Bearer \(token)", "content-type": "application/json"],
        body: try JSONEncoder().encode(FCMRequest(message, now: world.now()))))
    let refusal = try? JSONDecoder().decode(FCMRefusal.self, from: answer.body)
    switch (answer.status, refusal?.code) {
    case (200...299, _): return .accepted
    case (404, "UNREGISTERED"): return .tokenGone
    case (400, "INVALID_ARGUMENT") where refusal?.blames("message.token") == true, (403, "SENDER_ID_MISMATCH"):
      return .tokenRefused
    case (401, _):
      await tokens.forget(token)
      throw MessageUndelivered(.loginRefused)
    case (429, _), (500..., _): throw MessageUndelivered(.byGateway(status: answer.status))
    default: throw MessageRefused(.byGateway(status: answer.status))
    }
  }

  /// Asks for an access token with an assertion that the account's key signed.
  private static func accessToken(
    _ settings: FCMSettings, _ http: PeerHTTP, _ world: World
  ) async throws -> RenewedToken.Issued {
    let (now, keys) = (world.wall(), JWTKeyCollection())
    await keys.add(rsa: settings.key, digestAlgorithm: .sha256)
    var header = JWTHeader()
    header.kid = settings.keyID
    let assertion = try await keys.sign(
      AssertionClaims(
        iss: settings.account, scope: scope, aud: settings.tokenURL, iat: now.seconds, exp: now.seconds + 3600),
      header: header)
    let answer = try await http.deliver(
      .init(
        "POST", settings.tokenURL, headers: ["content-type": "application/x-www-form-urlencoded"],
        body: Data("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(assertion)".utf8)))
    guard answer.status == 200 else {
      if answer.status == 429 || answer.status >= 500 { throw MessageUndelivered(.byGateway(status: answer.status)) }
      throw MessageRefused(.byGateway(status: answer.status))
    }
    // It goes into a field: no line break, no space.
    guard let granted = try? JSONDecoder().decode(Grant.self, from: answer.body), granted.expires_in > 0,
      (1...tokenMax).contains(granted.access_token.utf8.count),
      granted.access_token.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw MessageUndelivered(.loginRefused) }
    let lifetime = Duration.seconds(min(granted.expires_in, 3600))
    return .init(text: granted.access_token, renewAt: now + max(lifetime - margin, lifetime / 2))
  }

  private struct Grant: Decodable {
    let access_token: String
    let expires_in: Int
  }
}

private struct AssertionClaims: JWTPayload {
  let iss: String
  let scope: String
  let aud: String
  let iat: Int64
  let exp: Int64

  /// Only sent; this server never decodes one.
  func verify(using algorithm: some JWTAlgorithm) throws {}
}

private struct FCMRequest: Encodable {
  struct Notification: Encodable {
    let title: String
    let body: String
  }

  struct Tag: Encodable {
    let tag: String
  }

  struct Android: Encodable {
    let priority: String
    /// Seconds, as a duration of Protocol Buffers.
    let ttl: String
    let notification: Tag
  }

  struct Message: Encodable {
    let token: String
    let notification: Notification
    /// Texts only, for that is what the service takes.
    let data: [String: String]
    let android: Android
  }

  let message: Message

  init(_ push: PushMessage, now: Instant) {
    message = Message(
      token: push.token, notification: Notification(title: push.title, body: push.body),
      data: push.data.mapValues(\.text),
      android: Android(
        priority: "high", ttl: "\(max(0, push.expiresAt.seconds - now.seconds))s", notification: Tag(tag: push.name)))
  }
}

/// `google.rpc.Status`, with the details that the service adds.
private struct FCMRefusal: Decodable {
  struct Violation: Decodable {
    let field: String?
  }

  struct Detail: Decodable {
    let errorCode: String?
    let fieldViolations: [Violation]?
  }

  struct Status: Decodable {
    let status: String?
    let details: [Detail]?
  }

  let error: Status

  /// The service's own code where it gives one.
  var code: String? { error.details?.compactMap(\.errorCode).first ?? error.status }

  func blames(_ field: String) -> Bool {
    error.details?.contains { $0.fieldViolations?.contains { $0.field == field } ?? false } ?? false
  }
}
