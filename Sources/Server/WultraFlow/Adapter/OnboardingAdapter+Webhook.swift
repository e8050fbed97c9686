// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import Storage

extension OnboardingAdapter {
  /// Whose the institution's endpoint is.
  package static let tenant = TenantID("wultra", "institution")

  /// Asks the institution over HTTPS: JSON by POST, signed as Standard Webhooks are. What it answers to is asked once;
  /// changes are owed to it for a day, and kept, as to every receiver.
  package static func webhook(
    _ hook: SignedWebhook, through webhooks: Webhooks, database: any SQLDatabase
  ) -> OnboardingAdapter {
    OnboardingAdapter(
      lookUp: { lookup in
        let user = try await hook.ask("/user/lookup", lookup, as: UserLookupAnswer.self)
        guard let id = user.userId, !id.isEmpty, id.utf8.count <= UserLookupAnswer.idBytesMax else { return .unknown }
        return .known(user: id, consentRequired: user.consentRequired ?? true)
      },
      sendOTP: { try await hook.tell("/otp/send", $0, id: $1) },
      consentText: { try await hook.ask("/consent/text", $0, as: ConsentAnswer.self) },
      storeConsent: { try await hook.tell("/consent/storage", $0, id: $1) },
      evaluate: { try await hook.ask("/client/evaluate", $0, id: $1, as: Evaluated.self).result },
      tell: { notice, id in
        // What docs/reference/webhook-events.md tells of them.
        // webhook process.verifying: the device is activated, its user is being verified
        // webhook process.finished: the user is verified
        // webhook process.failed: by the user, a limit or the clock

        let message = WebhookMessage(
          "process.\(notice.status.lowercased())", name: id, tenant: tenant, body: try SignedWebhook.encode(notice),
          about: notice.processId)
        try await database.write { tx in
          try webhooks.bind(
            hook.address("/process/event"), secret: hook.secret, tenant: tenant, isOwn: true, in: tx)
          try webhooks.publish(message, in: tx)
        }
      })
  }
}

extension SignedWebhook {
  /// - Throws: `Unavailable` when the answer is not understood.
  func ask<Answer: Decodable>(
    _ path: String, _ question: some Encodable & Sendable, id: String? = nil, as answer: Answer.Type
  ) async throws -> Answer {
    let bytes = try await post(path, question, id: id)
    do { return try WireJSON.decode(answer, from: bytes) } catch { throw OnboardingAdapter.Unavailable() }
  }

  /// Posts a body of which only the status of the answer matters.
  fileprivate func tell(_ path: String, _ body: some Encodable & Sendable, id: String) async throws {
    _ = try await post(path, body, id: id)
  }
}

/// `userId` is null, or the member is missing, for a person whom the institution does not know.
private struct UserLookupAnswer: Decodable {
  static let idBytesMax = 255

  let userId: String?
  let consentRequired: Bool?
}

private struct Evaluated: Decodable {
  let result: ClientVerdict
}
