// SPDX-License-Identifier: Apache-2.0

import Kit
import SaltEdgeWire

/// What the service asks of a bank (saltedge-authenticator §7.2). A port: a bank's own server, or the bank's side in
/// this server.
package struct BankClient: Sendable {
  package var connect: @Sendable (SaltEdgeProvider, SaltEdgeBank.Connect) async throws -> SaltEdgeBank.Connecting
  /// Action's name, whether the device confirmed, what it signed.
  package var decide:
    @Sendable (SaltEdgeProvider, String, Bool, SaltEdgeBank.Decision) async throws -> SaltEdgeBank.Decided
  /// Nil when nothing has to be confirmed.
  package var submit:
    @Sendable (SaltEdgeProvider, String, SaltEdgeBank.ActionSubmission) async throws -> SaltEdgeBank.Action?
  package var revokeConnection: @Sendable (SaltEdgeProvider, SaltEdgeConnection.ID) async throws -> Void
  package var revokeConsent: @Sendable (SaltEdgeProvider, String) async throws -> Void

  package init(
    connect: @escaping @Sendable (SaltEdgeProvider, SaltEdgeBank.Connect) async throws -> SaltEdgeBank.Connecting,
    decide:
      @escaping @Sendable (SaltEdgeProvider, String, Bool, SaltEdgeBank.Decision) async throws -> SaltEdgeBank.Decided,
    submit:
      @escaping @Sendable (SaltEdgeProvider, String, SaltEdgeBank.ActionSubmission) async throws -> SaltEdgeBank.Action?,
    revokeConnection: @escaping @Sendable (SaltEdgeProvider, SaltEdgeConnection.ID) async throws -> Void,
    revokeConsent: @escaping @Sendable (SaltEdgeProvider, String) async throws -> Void
  ) {
    (self.connect, self.decide, self.submit) = (connect, decide, submit)
    (self.revokeConnection, self.revokeConsent) = (revokeConnection, revokeConsent)
  }

  /// Calls a hosted bank here and any other at its server.
  static func routing(remote: BankClient, hosted: BankClient) -> BankClient {
    @Sendable func client(_ provider: SaltEdgeProvider) -> BankClient { provider.kind == .hosted ? hosted : remote }
    return BankClient(
      connect: { try await client($0).connect($0, $1) },
      decide: { try await client($0).decide($0, $1, $2, $3) },
      submit: { try await client($0).submit($0, $1, $2) },
      revokeConnection: { try await client($0).revokeConnection($0, $1) },
      revokeConsent: { try await client($0).revokeConsent($0, $1) })
  }
}

/// Why a bank did not do what it was asked. Names no address and quotes nothing.
package enum BankFailure: Error, Equatable {
  /// No connection, no answer in time, or a 5xx: it may go through later (§16).
  case unavailable
  /// It was not called: it, or this node, has too much in hand.
  case crowded
  /// It answered that it does not.
  case refused(SaltEdge.ErrorClass)
  /// It answered something that is no answer.
  case unintelligible

  /// What a device is told. What a bank says of the connection, or of the service's own signature, is not the device's:
  /// it would give up a connection that is good (§10.7).
  var problem: Problem {
    switch self {
    case .crowded: .unavailable
    case .unavailable: Problem(.providerTimedOut, "provider-unavailable", "The bank cannot be reached.")
    case .unintelligible: Problem(.providerFailed, "provider-failed", "The bank did not answer as it should.")
    case .refused(.actionNotFound): .saltEdge(.actionNotFound)
    case .refused(.actionExpired): .saltEdge(.actionExpired)
    case .refused(.actionClosed): .saltEdge(.actionClosed)
    case .refused(let errorClass) where errorClass == .wrongRequestFormat || !errorClass.isKnown: .wrongFormat
    case .refused: BankFailure.unintelligible.problem
    }
  }

  /// Whether the bank has nothing to decide, or not any more.
  var saysItIsOver: Bool { self == .refused(.actionClosed) || self == .refused(.actionNotFound) }

  /// Whether the bank knows of nothing that could be revoked.
  var saysItIsGone: Bool {
    switch self {
    case .refused(.connectionNotFound), .refused(.connectionRevoked), .refused(.consentNotFound),
      .refused(Self.notThere):
      true
    default: false
    }
  }

  /// A 404 or 410 without a class.
  static let notThere = SaltEdge.ErrorClass(rawValue: "NotFound")

  /// For the audit log.
  var word: String {
    switch self {
    case .unavailable: "unavailable"
    case .crowded: "crowded"
    case .unintelligible: "unintelligible"
    case .refused(let errorClass): errorClass.isKnown ? errorClass.rawValue : "refused"
    }
  }
}
