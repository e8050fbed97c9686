// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import PowerAuthCore

/// Services of other companies that tenants use in place of our own: for the scanning library of their app, and for
/// their check of presence. Asked by JSON over HTTPS, signed as Standard Webhooks are.
struct Vendors: Sendable {
  /// By tenant.
  var scanning: [String: SignedWebhook] = [:]
  var presence: [String: SignedWebhook] = [:]

  /// The operator's file: `{"TENANT": {"scanning": {"url": …, "secret": …, "ca": …}, "presence": {…}}}`.
  struct File: Decodable {
    struct Service: Decodable {
      let url: String
      let secret: String
      let ca: String?
    }

    let scanning: Service?
    let presence: Service?
  }

  init() {}

  /// - Throws: `SignedWebhookError`, `DecodingError`.
  init(_ file: Data, world: World) throws {
    let threads = BlockingThreadPool("vendors", width: 4)
    func hook(_ service: File.Service) throws -> SignedWebhook {
      try SignedWebhook(
        base: service.url, secret: service.secret, caFile: service.ca, threads: threads, world: world)
    }
    for (tenant, services) in try JSONDecoder().decode([String: File].self, from: file) {
      scanning[tenant] = try services.scanning.map(hook)
      presence[tenant] = try services.presence.map(hook)
    }
  }
}

extension DocumentProvider {
  /// The same with the libraries of some tenants prepared by their vendors: `POST …/document/init-sdk` with tenant,
  /// process, user and the library's attributes; `{"attributes": {…}}` goes to the library as it comes.
  func preparing(by vendors: [String: SignedWebhook]) -> DocumentProvider {
    var provider = self
    provider.prepareScanning = { [prepareScanning] query in
      guard let vendor = vendors[query.tenant] else { return try await prepareScanning(query) }
      return try await vendor.ask("/document/init-sdk", query, as: PreparedScanning.self).attributes
    }
    return provider
  }
}

private struct PreparedScanning: Decodable {
  let attributes: [String: JSONValue]
}

extension PresenceProvider {
  /// The same with the checks of some tenants made by their vendors, with the vendor's library in the app.
  ///
  /// 1. `POST …/presence-check/init` with the check, its user and the portraits of the documents; the answer's
  ///    `sessionAttributes` go to the library as they come. Our own session takes no pictures then: its token is not told.
  /// 2. `POST …/presence-check/result` once the app says that it is done. `result` is `ACCEPTED`, `REJECTED`, or
  ///    `INCONCLUSIVE` for a person to decide, each with `codes`; `IN_PROGRESS` is asked again, as is no answer.
  func checking(by vendors: [String: SignedWebhook]) -> PresenceProvider {
    var provider = self
    provider.start = { [start] session in
      guard let vendor = vendors[session.check.tenant] else { return try await start(session) }
      let request = PresenceStart(session.check, portraits: try await session.portraits(), session.lifetime)
      return try await vendor.ask("/presence-check/init", request, id: session.check.id, as: StartedPresence.self)
        .sessionAttributes
    }
    provider.judge = { [judge] evidence in
      guard let vendor = vendors[evidence.check.tenant] else { return try await judge(evidence) }
      let answer = try await vendor.ask(
        "/presence-check/result", PresenceQuestion(evidence.check), as: PresenceAnswer.self)
      let codes = answer.codes ?? []
      switch answer.result {
      case .accepted: return .accepted
      case .rejected: return .rejected(codes: codes)
      case .inconclusive: return .inconclusive(codes: codes)
      case .inProgress: throw OnboardingAdapter.Unavailable()
      }
    }
    return provider
  }
}

private struct PresenceStart: Encodable, Sendable {
  let checkId: String
  let tenant: String
  let processId: String
  let userId: String?
  let lifetimeSeconds: Int
  /// JPEG.
  let portraits: [Data]

  init(_ check: PresenceCheck, portraits: [Data], _ lifetime: Duration) {
    (checkId, tenant, processId, userId) = (check.id, check.tenant, check.processId, check.userId)
    (self.portraits, lifetimeSeconds) = (portraits, lifetime.wholeSeconds)
  }
}

private struct StartedPresence: Decodable {
  let sessionAttributes: [String: JSONValue]
}

private struct PresenceQuestion: Encodable, Sendable {
  let checkId: String
  let tenant: String
  let processId: String
  let userId: String?

  init(_ check: PresenceCheck) {
    (checkId, tenant, processId, userId) = (check.id, check.tenant, check.processId, check.userId)
  }
}

private struct PresenceAnswer: Decodable {
  enum Result: String, Decodable {
    case accepted = "ACCEPTED"
    case rejected = "REJECTED"
    case inconclusive = "INCONCLUSIVE"
    case inProgress = "IN_PROGRESS"
  }

  let result: Result
  let codes: [String]?
}
