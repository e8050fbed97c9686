// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import OneAssistSDK

/// What the screens need of the app.
public struct OneAssistPorts: Sendable {
  /// A new token from the partner's server; nil when it gives none.
  public var token: @Sendable () async -> String?
  /// What the partner's server says of the membership; nil when it says nothing.
  public var card: @Sendable () async -> MembershipCard?
  /// What the secure screen is opened on; nil when nothing can be shown.
  public var controller: @MainActor @Sendable () -> OAViewController?

  /// Creates the value from its members.
  public init(
    token: @escaping @Sendable () async -> String?, card: @escaping @Sendable () async -> MembershipCard?,
    controller: @escaping @MainActor @Sendable () -> OAViewController?
  ) { (self.token, self.card, self.controller) = (token, card, controller) }
}

/// Carries out what the screens want done: each effect is a call of the SDK, each answer an event.
public actor OneAssistPerformer {
  /// Hands an event to the driver.
  public typealias Send = ScreenDriver<OneAssistScreens>.Send

  private let activation: OAActivation
  private let isDebugMode: Bool
  private let ports: OneAssistPorts
  private var code = ""

  /// - Parameters:
  ///   - activation: as the app configured it.
  ///   - isDebugMode: see `OAActivation.initializeSDK`.
  public init(_ activation: OAActivation, isDebugMode: Bool = false, ports: OneAssistPorts) {
    (self.activation, self.isDebugMode, self.ports) = (activation, isDebugMode, ports)
  }

  /// Carries one effect out.
  public func perform(_ effect: OneAssistEffect, _ send: @escaping Send) async {
    if effect == .loadCard { return await send(.card(await ports.card())) }
    do throws(OAError) { await send(.stands(try await call(effect))) } catch { await send(.refused(error)) }
  }

  private func call(_ effect: OneAssistEffect) async throws(OAError) -> OAAction {
    switch effect {
    case .begin(let code):
      guard let token = await ports.token() else { throw .ERROR_EMPTY_TOKEN }
      try await activation.initializeSDK(token: token, isDebugMode: isDebugMode)
      self.code = code
      return try await activation.startActivation(for: code)
    case .readDevice: return try await activation.fetchDeviceId()
    case .submit(let pincode, let address):
      return try await activation.submitBasicDetails(pincode: pincode, address: address)
    case .sendLink(let mobile): return try await activation.sendUploadLink(mobile)
    case .showScreen:
      guard let controller = await ports.controller() else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
      return try await activation.openSecureScreen(onViewController: controller)
    case .look, .loadCard, .stop: return try await activation.startActivation(for: code)
    }
  }
}
