// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticUI
import Foundation
import GatehouseUI
import OnboardingUI
import OneAssistSDK
import OneAssistUI
import RubixOnboarding
import SwiftUI
import UIKit
import WultraDigitalOnboarding
import WultraOnboardingUI

/// The sections of the app with their SDKs; made once.
@MainActor
final class OnboardingModel: ObservableObject {
  /// A presence check that waits for a picture of the face.
  struct FaceAsked: Identifiable {
    let id: Int
  }

  private static let service = Bundle.main.bundleIdentifier ?? "example.gatehouse.onboarding"

  /// Nil until every SDK is there.
  @Published private(set) var store: ScreenStore<SampleScreens>?
  /// Whether the sections could not be made.
  @Published private(set) var hasFailed = false
  /// How often it was begun anew.
  @Published private(set) var retries = 0
  /// What is spoken before there are screens, and by them at first.
  let language = ScreenLanguage(tag: Locale.preferredLanguages.first ?? "en")
  /// Shown over everything; nil when no face is to be taken.
  @Published var faceAsked: FaceAsked? { didSet { if faceAsked == nil { answer(nil) } } }
  private let settings = OnboardingSettings(Bundle.main.infoDictionary ?? [:])
  private let kept = KeychainStore(service: service)
  private var facesAsked = 0
  private var waitingForFace: CheckedContinuation<Data?, Never>?

  /// Makes the sections, and begins.
  func begin() async {
    guard store == nil else { return }
    do {
      let onboarding = try onboarding(language)
      let (identity, membership, bank) = (identity(), membership(), try await bank())
      let screens = SampleScreens(
        language: language,
        onboarding: onboarding.map { _ in
          RubixScreens(language: language, documents: SampleScreens.documents, needsEmail: true)
        },
        identity: identity.map { _ in WultraScreens(language: language, fields: SampleScreens.fields) },
        membership: membership.map { _ in OneAssistScreens(language: language, code: settings.coverCode) },
        bank: bank.map { _ in FinapticScreens(language: language) })
      let driver = ScreenDriver(screens) { effect, send in
        switch effect {
        case .onboarding(let effect): await onboarding?.perform(effect) { send(.onboarding($0)) }
        case .identity(let effect): await identity?.perform(effect) { send(.identity($0)) }
        case .membership(let effect): await membership?.perform(effect) { send(.membership($0)) }
        case .bank(let effect): await bank?.perform(effect) { send(.bank($0)) }
        }
      }
      store = ScreenStore(driver)
      driver.send(.started)
    } catch {
      hasFailed = true
    }
  }

  /// Begins anew after a failure.
  func retry() {
    hasFailed = false
    retries += 1
  }

  // MARK: Sections

  private func onboarding(_ language: ScreenLanguage) throws -> RubixPerformer? {
    guard let bank = settings.bank else { return nil }
    let onboarding = RubixOnboarding(baseURL: bank, tenant: settings.tenant, tokenStore: SecureTokenStore(kept))
    let device = RubixDevice(
      id: try deviceID(), appVersion: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
      osVersion: UIDevice.current.systemVersion, model: UIDevice.current.model)
    return RubixPerformer(
      onboarding, device: device, language: language,
      ports: RubixPorts { address in await UIApplication.shared.open(address) })
  }

  private func identity() -> WultraPerformer? {
    guard let server = settings.identity, let configuration = settings.identityConfiguration else { return nil }
    let powerAuth = PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        baseEndpointUrl: server.appendingPathComponent("enrollment-server").absoluteString,
        configuration: configuration))
    let base = server.appendingPathComponent("enrollment-onboarding-server")
    return WultraPerformer(
      powerAuth, config: WPNConfig(baseUrl: base),
      ports: WultraPorts { attributes in
        guard let check = SamplePresence(attributes, at: base), let face = await self.takeFace() else { return false }
        return await check.send(face)
      })
  }

  private func membership() -> OneAssistPerformer? {
    guard let server = settings.cover else { return nil }
    let token = settings.coverToken
    #if DEBUG
      // Also a server on the developer's machine.
      let (configuration, isDebugMode) = (OAConfiguration(debugAPIEndPoint: server, acceptsTestIMEIs: true), true)
    #else
      let (configuration, isDebugMode) = (OAConfiguration(apiEndPoint: server), false)
    #endif
    return OneAssistPerformer(
      OAActivation(configuration: configuration), isDebugMode: isDebugMode,
      ports: OneAssistPorts(token: { token }, card: { nil }, controller: { Self.top }))
  }

  private func bank() async throws -> FinapticPerformer? {
    guard let key = settings.bankKey else { return nil }
    let (kept, name) = (kept, "transfers")
    return FinapticPerformer(
      try await FinapticSDK.initialize(sdkKey: key),
      ports: FinapticPorts(
        keepTransfers: { try kept.write(try JSONEncoder().encode($0), as: name) },
        keptTransfers: {
          try kept.read(name).map { try JSONDecoder().decode([KeptTransfer].self, from: $0) } ?? []
        }, displayName: "Customer"))
  }

  /// Chosen once per installation: an earlier one's Keychain is wiped.
  private func deviceID() throws -> String {
    if let known = try kept.read("device") { return String(decoding: known, as: UTF8.self) }
    let id = UUID().uuidString.lowercased()
    try kept.write(Data(id.utf8), as: "device")
    return id
  }

  private static var top: UIViewController? {
    let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
    var top = scenes.first?.keyWindow?.rootViewController
    while let next = top?.presentedViewController { top = next }
    return top
  }

  // MARK: The presence check

  /// - Returns: nil when the user left.
  private func takeFace() async -> Data? {
    answer(nil)
    facesAsked += 1
    faceAsked = FaceAsked(id: facesAsked)
    return await withCheckedContinuation { waitingForFace = $0 }
  }

  /// A picture that was taken for an earlier check is left out.
  func took(_ picture: Data, _ asked: FaceAsked) {
    guard asked.id == facesAsked else { return }
    answer(picture)
    faceAsked = nil
  }

  private func answer(_ picture: Data?) {
    waitingForFace?.resume(returning: picture)
    waitingForFace = nil
  }
}
