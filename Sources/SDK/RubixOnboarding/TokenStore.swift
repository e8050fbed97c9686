// SPDX-License-Identifier: Apache-2.0

public import GatehouseTransport
internal import GatehouseWire

/// Where the tokens of the application are kept (rubix-onboarding §3.4). A save that returned is durable.
public protocol TokenStore: Sendable {
  /// - Returns: nil when there is no application on this device.
  func load() async throws(SecureStoreError) -> OnboardingTokens?
  /// Keeps the tokens in place of earlier ones.
  func save(_ tokens: OnboardingTokens) async throws(SecureStoreError)
  /// Forgets them.
  func clear() async throws(SecureStoreError)
}

/// Tokens in a secure store: `KeychainStore` on Apple platforms, `SealedFileStore` on Linux, `MemorySecureStore` in
/// tests.
public struct SecureTokenStore: TokenStore {
  private let store: any SecureStore
  private let name: String

  /// - Parameter name: Sets several institutions in one app apart.
  public init(_ store: any SecureStore, name: String = "rubix-onboarding.tokens") {
    self.store = store
    self.name = name
  }

  /// - Throws: `tampered` when what is kept cannot be read.
  public func load() async throws(SecureStoreError) -> OnboardingTokens? {
    guard let data = try await store.read(name) else { return nil }
    guard let tokens = try? WireJSON.decode(OnboardingTokens.self, from: data) else {
      throw SecureStoreError(.tampered)
    }
    return tokens
  }

  /// Keeps the tokens in place of earlier ones.
  public func save(_ tokens: OnboardingTokens) async throws(SecureStoreError) {
    guard let data = try? WireJSON.encode(tokens) else { throw SecureStoreError(.unavailable) }
    try await store.write(data, as: name)
  }

  /// Forgets them.
  public func clear() async throws(SecureStoreError) { try await store.remove(name) }
}
