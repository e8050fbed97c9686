// SPDX-License-Identifier: Apache-2.0

/// Hands notifications to the service that delivers them to devices. One may be sent twice, because the outbox repeats.
package struct PushGateway: Sendable {
  package enum Outcome: Sendable, Equatable {
    case accepted
    /// The app is gone from the device: nothing is to be sent to this token any more.
    case tokenGone
    /// The token is not this app's, or malformed. It may belong to another environment, so it is not forgotten.
    case tokenRefused
    /// No service is configured for this platform.
    case noService
  }

  /// - Throws: `MessageRefused` when repeating cannot help, `MessageUndelivered` when it may.
  package let send: @Sendable (PushMessage) async throws -> Outcome

  package init(send: @escaping @Sendable (PushMessage) async throws -> Outcome) { self.send = send }

  package static let none = PushGateway { _ in .noService }

  /// Each platform by its own service.
  package static func platforms(apple: PushGateway, google: PushGateway) -> PushGateway {
    PushGateway { message in
      switch message.platform {
      case .apple: try await apple.send(message)
      case .google: try await google.send(message)
      }
    }
  }
}
