// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit
import Kit

extension PushGateway {
  /// Apple Push Notification service, over HTTP/2, with a provider token that is made anew before its hour is over.
  /// - Parameter http: keeps its connections: opening many is taken for an attack.
  package static func apns(_ settings: APNsSettings, http: PeerHTTP, world: World) -> PushGateway {
    let sender = APNsSender(settings: settings, http: http, world: world)
    return PushGateway { try await sender.send($0) }
  }
}

private struct APNsSender: Sendable {
  /// Apple takes a token for an hour, and refuses more than one in twenty minutes.
  private static let tokenLifetime = Duration.minutes(45)
  private static let tokenAgeMin = Duration.minutes(20)

  private let settings: APNsSettings
  private let http: PeerHTTP
  private let tokens: RenewedToken

  init(settings: APNsSettings, http: PeerHTTP, world: World) {
    self.settings = settings
    self.http = http
    tokens = RenewedToken(world: world) {
      let now = world.wall()
      let keys = JWTKeyCollection()
      await keys.add(ecdsa: settings.key)
      var header = JWTHeader()
      header.kid = settings.keyID
      return .init(
        text: try await keys.sign(ProviderClaims(iss: settings.teamID, iat: now.seconds), header: header),
        renewAt: now + Self.tokenLifetime)
    }
  }

  func send(_ message: PushMessage) async throws -> PushGateway.Outcome {
    // It goes into the path.
    guard message.token.wholeMatch(of: #/(?:[0-9A-Fa-f]{2}){8,200}/#) != nil else { return .tokenRefused }
    let token = try await tokens.text()
    let answer = try await http.deliver(
      .init(
        "POST", "\(settings.base)/3/device/\(message.token.lowercased())",
        headers: [
          "authorization": "bearer \(token)", "apns-topic": settings.topic, "apns-push-type": "alert",
          "apns-priority": "10", "apns-expiration": "\(message.expiresAt.seconds)", "apns-collapse-id": message.name,
          "content-type": "application/json",
        ], body: try JSONEncoder().encode(APNsPayload(message))))
    let reason = (try? JSONDecoder().decode(APNsRefusal.self, from: answer.body))?.reason
    switch (answer.status, reason) {
    case (200, _): return .accepted
    case (410, _), (400, "Unregistered"): return .tokenGone
    case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): return .tokenRefused
    case (403, "ExpiredProviderToken"):
      await tokens.forget(token, after: Self.tokenAgeMin)
      throw MessageUndelivered(.loginRefused)
    case (429, _), (500..., _): throw MessageUndelivered(.byGateway(status: answer.status))
    default: throw MessageRefused(.byGateway(status: answer.status))
    }
  }
}

private struct ProviderClaims: JWTPayload {
  let iss: String
  let iat: Int64

  /// Only sent; this server never decodes one.
  func verify(using algorithm: some JWTAlgorithm) throws {}
}

private struct APNsRefusal: Decodable {
  let reason: String?
}

/// The app reads the data where the message places it.
private struct APNsPayload: Encodable {
  struct Alert: Encodable {
    let title: String
    let body: String
  }

  struct Notification: Encodable {
    let alert: Alert
    let sound: String
    let data: [String: Datum]?
  }

  struct Datum: Encodable {
    let datum: PushMessage.Datum

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch datum {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  let aps: Notification
  let top: [String: Datum]

  init(_ message: PushMessage) {
    let data = message.data.mapValues(Datum.init)
    aps = Notification(
      alert: Alert(title: message.title, body: message.body), sound: "default",
      data: message.place == .notification ? data : nil)
    top = message.place == .top ? data : [:]
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, datum) in top where name != "aps" { try container.encode(datum, forKey: Key(stringValue: name)) }
    try container.encode(aps, forKey: Key(stringValue: "aps"))
  }
}
