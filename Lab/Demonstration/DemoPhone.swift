// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseTransport
import RubixOnboarding

/// The customer's phone: the SDK over the real network, the tokens in a sealed file, and an inbox for the codes.
actor DemoPhone {
  /// How often the inbox is looked at before the code counts as lost.
  private static let looksMax = 100

  nonisolated let address: URL
  nonisolated let contactNo: String
  nonisolated let email: String
  nonisolated let deviceID: String
  private let folder: URL
  private let inbox: DemoInbox
  private(set) var app: RubixOnboarding
  private var tokens: SecureTokenStore

  struct NoCode: Error, CustomStringConvertible {
    let description = "no code came to the development outbox"
  }

  /// - Parameter number: sets the phones of a demonstration apart.
  init(number: Int, address: URL, folder: String) throws {
    self.address = address
    inbox = DemoInbox(address: address)
    self.folder = URL(fileURLWithPath: folder).appending(path: "phone-\(number)")
    contactNo = "+9655000\(1000 + number)"
    email = "customer\(number)@example.com"
    deviceID = "utopia-phone-\(1_000_000 + number)"
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    tokens = try Self.tokenFile(in: self.folder)
    app = Self.start(address, tokens)
  }

  /// The app is killed and opened again: nothing but the token file is left of the former one.
  func restart() throws {
    tokens = try Self.tokenFile(in: folder)
    app = Self.start(address, tokens)
  }

  /// What the file holds now.
  func keptTokens() async throws -> OnboardingTokens? { try await tokens.load() }

  private static func tokenFile(in folder: URL) throws -> SecureTokenStore {
    SecureTokenStore(
      try SealedFileStore(file: folder.appending(path: "tokens"), keyFile: folder.appending(path: "key")))
  }

  private static func start(_ address: URL, _ tokens: SecureTokenStore) -> RubixOnboarding {
    // A server on the same machine has read a picture long before a second is over.
    let policy = OnboardingPolicy(pollsMax: 200, pollDelay: .milliseconds(100), pollDelayMax: .milliseconds(100))
    return RubixOnboarding(baseURL: address, tokenStore: tokens, policy: policy)
  }

  /// The code in the newest message to the phone number or the address, once it is there.
  func code(_ channel: OTPChannel) async throws -> String {
    let recipient = channel == .sms ? contactNo : email
    for _ in 0..<Self.looksMax {
      if let code = try await inbox.codes(to: recipient).last { return code }
      try await inbox.pause()
    }
    throw NoCode()
  }
}
