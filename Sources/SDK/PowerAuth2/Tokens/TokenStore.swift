// SPDX-License-Identifier: Apache-2.0

/// The published face of the tokens.
final class TokenStore: PowerAuthTokenStore {
  private let access: ClientAccess

  init(_ access: ClientAccess) { self.access = access }

  func requestAccessToken(
    withName name: String, authentication: PowerAuthAuthentication,
    completion: @escaping @MainActor @Sendable (PowerAuthToken?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(completion)) { client in
      PowerAuthToken(name, try await client.requestToken(name, authentication), client)
    }
  }

  func removeAccessToken(
    withName name: String, completion: @escaping @MainActor @Sendable (Bool, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain { (removed, error) in completion(removed ?? false, error) }) { client in
      try await client.removeToken(name)
    }
  }

  func generateAuthorizationHeader(
    withName name: String,
    completion: @escaping @MainActor @Sendable (PowerAuthAuthorizationHttpHeader?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(completion)) { client in try await client.tokenHeader(name) }
  }

  func requestAccessToken(
    withName name: String, authentication: PowerAuthAuthentication
  ) async throws -> PowerAuthToken {
    try await access.wait { client in
      PowerAuthToken(name, try await client.requestToken(name, authentication), client)
    }
  }

  func removeAccessToken(withName name: String) async throws -> Bool {
    try await access.wait { client in try await client.removeToken(name) }
  }

  func generateAuthorizationHeader(withName name: String) async throws -> PowerAuthAuthorizationHttpHeader {
    try await access.wait { client in try await client.tokenHeader(name) }
  }

  func canRequestForAccessToken() -> Bool { access.client?.session.activation != nil }

  func localToken(withName name: String) -> PowerAuthToken? {
    guard let client = access.client, let token = client.localToken(name) else { return nil }
    return PowerAuthToken(name, token, client)
  }

  func hasLocalToken(withName name: String) -> Bool { access.client?.localToken(name) != nil }

  func removeLocalToken(withName name: String) {
    guard let client = access.client, let activation = client.session.activation else { return }
    try? client.tokens.remove(name, of: activation.identifier)
  }

  func removeAllLocalTokens() { access.client?.tokens.removeAll() }
}
