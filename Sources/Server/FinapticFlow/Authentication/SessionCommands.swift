// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import Storage

/// Sessions that go on and end (finaptic §8.1).
struct SessionCommands: Sendable {
  let core: CoreDependencies
  let answers: IdempotentAnswers
  let sessions: Sessions
  let policy: FinapticPolicy

  /// Spends a refresh token for its successor and an access token that says what the user is by now, without what was
  /// stepped up to.
  ///
  /// The access token is signed before the transaction that spends the refresh token, so that this one transaction
  /// also keeps the answer: a process that is killed has changed nothing, or has left the answer for a repetition.
  /// - Throws: `Problem` SIGNIN_ERROR.
  func refresh(
    _ asked: FinapticAPI.RefreshTokenRequest, tenant: FinapticTenant, write: IdempotentAnswers.Write
  ) async throws -> FinapticAPI.AuthState {
    guard let token = asked.refreshToken, !token.isEmpty, token.utf8.count <= 512 else {
      throw Problem.finapticFields([.init("/refresh_token", "required", "A refresh token is required.")])
    }
    for _ in 1...Self.triesMax {
      let found = try await core.database.look { try owner(of: token, tenant: tenant, in: $0) }
      guard let (family, user) = found else { throw Problem.refreshRefused }
      let grant = user.grant(policy)
      let access = try await sessions.accessToken(for: family, showing: grant)
      let outcome: Outcome
      do {
        outcome = try await core.database.write(retrying: .outdated) { tx -> Outcome in
          // The access token has to be true when it is given out.
          guard let now = try FinapticUserStore(tx, vault: core.vault).find(user.id)?.user,
            now.grant(policy) == grant
          else { return .outdated }
          switch try sessions.refresh(
            token, device: nil, tenant: tenant.session, in: tx)
          {
          case .reused: return .refused
          case .rotated(_, let refreshToken, _):
            let state = FinapticAPI.AuthState(
              accessToken: access.token, refreshToken: refreshToken, expiresIn: access.expiresIn)
            _ = try answers.keep(state, for: write, in: tx)
            return .rotated(state)
          }
        }
      } catch let problem as Problem where problem.category == .unauthenticated { throw Problem.refreshRefused }
      switch outcome {
      case .rotated(let state): return state
      case .refused: throw Problem.refreshRefused
      case .outdated: continue
      }
    }
    throw Problem.unavailable
  }

  private static let triesMax = 3

  private enum Outcome: Sendable {
    case rotated(FinapticAPI.AuthState)
    /// Committed: the family has ended.
    case refused
    /// The user became something else meanwhile.
    case outdated
  }

  /// Nil for an unknown token.
  private func owner(
    of token: String, tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> (SessionFamily, FinapticUser)? {
    guard let family = try sessions.family(ofRefreshToken: token, tenant: tenant.session, in: tx),
      let user = try FinapticUserStore(tx, vault: core.vault).find(.init(rawValue: family.subject))?.user
    else { return nil }
    return (family, user)
  }

  /// Ends the session of a refresh token. Does nothing for an unknown token.
  func signOut(
    _ asked: FinapticAPI.RefreshTokenRequest, tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> EmptyBody {
    guard let token = asked.refreshToken, !token.isEmpty else {
      throw Problem.finapticFields([.init("/refresh_token", "required", "A refresh token is required.")])
    }
    guard let (family, user) = try owner(of: token, tenant: tenant, in: tx) else { return EmptyBody() }
    if family.revokedReason == nil {
      try sessions.revoke(family.id, in: tx)
      try core.note(
        "user.signedOut", user.chain, by: "user:\(user.id)", ["family": family.id.rawValue], in: tx)
    }
    return EmptyBody()
  }
}

extension Problem {
  /// Unknown, spent, lapsed or revoked: the app has to sign in.
  static let refreshRefused = finaptic(.signinError, "The session has ended: sign in again.")
}
