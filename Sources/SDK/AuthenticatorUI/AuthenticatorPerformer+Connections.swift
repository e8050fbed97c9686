// SPDX-License-Identifier: Apache-2.0

internal import GatehouseUI
internal import SaltEdgeAuthenticator

extension AuthenticatorPerformer {
  func keeping(_ effect: AuthenticatorEffect, _ send: Send) async {
    switch effect {
    case .loadConnections:
      await answer(send) { () async throws(AuthenticatorError) in
        .connections(.listed(try await self.authenticator.connections()))
      } or: {
        [.connections(.failed($0))]
      }
    case .rename(let guid, let name):
      await answer(send) { () async throws(AuthenticatorError) in
        try await self.authenticator.rename(guid, to: name)
        guard let fresh = try await self.authenticator.connections().first(where: { $0.guid == guid }) else {
          throw AuthenticatorError(.outOfOrder, .connectionUnknown)
        }
        return .connection(.renamed(fresh))
      } or: {
        [.connection(.failed($0))]
      }
    case .remove(let guid):
      await answer(send) { () async throws(AuthenticatorError) in
        .connection(.removed(guid: guid, isHeard: try await self.authenticator.remove(guid)))
      } or: {
        [.connection(.failed($0))]
      }
    case .loadConsents(let guid):
      await answer(send) { () async throws(AuthenticatorError) in
        .consents(.listed(guid: guid, try await self.authenticator.consents(of: guid)))
      } or: {
        [.consents(.failed($0))]
      }
    case .revoke(let consent):
      await answer(send) { () async throws(AuthenticatorError) in
        .consents(.revoked(id: consent.id, try await self.authenticator.revoke(consent)))
      } or: {
        [.consents(.failed($0))]
      }
    default: break
    }
  }

  func connecting(_ effect: AuthenticatorEffect, _ send: @escaping Send) async {
    switch effect {
    case .read(let text): await send(.connect(.read(authenticator.link(text))))
    case .connect(let link):
      await signIn.begin { await send(.connect(.page($0))) }
      await answer(send) { () async throws(AuthenticatorError) in
        .connect(.connected(try await self.authenticator.connect(link)))
      } or: {
        [.connect(.failed($0))]
      }
    case .reconnect(let guid):
      await signIn.begin { await send(.connect(.page($0))) }
      await answer(send) { () async throws(AuthenticatorError) in
        .connect(.connected(try await self.authenticator.reconnect(guid)))
      } or: {
        [.connect(.failed($0))]
      }
    case .endPage(let address): await signIn.end(address)
    case .find(let link):
      await answer(send) { () async throws(AuthenticatorError) in
        .connect(.found(link, try await self.authenticator.connections(for: link)))
      } or: {
        [.connect(.failed($0))]
      }
    case .submit(let link, let guid):
      await answer(send) { () async throws(AuthenticatorError) in
        .connect(.outcome(try await self.authenticator.submit(link, on: guid)))
      } or: {
        [.connect(.failed($0))]
      }
    default: break
    }
  }
}
