// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticUI
import Foundation
import GatehouseUI
import OnboardingUI
import OneAssistSDK
import OneAssistUI
import RubixOnboarding
import ScreenTerminal
import WultraDigitalOnboarding
import WultraOnboardingUI

/// The onboardings of a Rubix and of a Wultra customer, the activation of a membership and a bank's app, as the
/// sections of one program of a terminal: the same screens as in an app, told by lines instead of touched, with
/// pictures from files instead of a camera. Leaves with 0 when its input ends, 64 for wrong arguments and 1 when the
/// folder cannot be used.
@main
struct OnboardingSample {
  private typealias Send = ScreenDriver<SampleScreens>.Send

  static func main() async {
    let usage = """
      Usage: OnboardingSample --data FOLDER [--language en|fr|ar] and at least one of
        --bank ADDRESS [--tenant NAME]           the onboarding of Rubix
        --identity ADDRESS --app-keys TEXT --face FILE
                                                 the onboarding of Wultra, with what the server's operator hands out for
                                                 the app, and a JPEG file of a face for the presence check
        --cover ADDRESS --token TOKEN [--code CODE]
                                                 the activation of a membership, with a token of the partner's server
        --sdk-key KEY                            the bank's app of Finaptic
      What is kept lies in the folder, sealed by a key beside it. \(ScreenTerminal<SampleScreens>.usage)
      """
    await SampleOptions.main(usage) {
      try await run(
        SampleOptions(
          $0,
          names: [
            "--bank", "--tenant", "--identity", "--app-keys", "--face", "--cover", "--token", "--code", "--sdk-key",
          ]))
    }
  }

  @MainActor
  private static func run(_ options: SampleOptions) async throws {
    let language = try options.language() ?? .english
    let onboarding = try onboarding(options, language)
    let identity = try identity(options)
    let membership = try membership(options)
    let bank = try await bank(options)
    guard onboarding != nil || identity != nil || membership != nil || bank != nil else {
      throw SampleOptions.Fault(description: "--bank, --identity, --cover or --sdk-key is missing.")
    }
    let screens = SampleScreens(
      language: language,
      onboarding: onboarding.map { _ in
        RubixScreens(language: language, documents: SampleScreens.documents, needsEmail: true)
      },
      identity: identity.map { _ in WultraScreens(language: language, fields: SampleScreens.fields) },
      membership: membership.map { _ in OneAssistScreens(language: language, code: options["--code"]) },
      bank: bank.map { _ in FinapticScreens(language: language) })
    let driver = ScreenDriver(screens) { effect, send in
      switch effect {
      case .onboarding(let effect): await onboarding?.perform(effect) { send(.onboarding($0)) }
      case .identity(let effect): await identity?.perform(effect) { send(.identity($0)) }
      case .membership(let effect): await membership?.perform(effect) { send(.membership($0)) }
      case .bank(let effect): await bank?.perform(effect) { send(.bank($0)) }
      }
    }
    await ScreenTerminal(driver).run(.started)
  }

  private static func onboarding(_ options: SampleOptions, _ language: ScreenLanguage) throws -> RubixPerformer? {
    guard let bank = try options.address("--bank") else { return nil }
    let onboarding = RubixOnboarding(
      baseURL: bank, tenant: options["--tenant"], tokenStore: SecureTokenStore(try options.store()))
    let device = RubixDevice(
      id: try deviceID(in: options.folder), appVersion: "1.0", osVersion: "Linux", model: "Terminal")
    return RubixPerformer(
      onboarding, device: device, language: language,
      ports: RubixPorts { address in say("Opens \(address.absoluteString)\n") })
  }

  private static func identity(_ options: SampleOptions) throws -> WultraPerformer? {
    guard let server = try options.address("--identity") else { return nil }
    guard let keys = options["--app-keys"] else { throw SampleOptions.Fault(description: "--app-keys is missing.") }
    let kept = try options.store("identity")
    let powerAuth = PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        baseEndpointUrl: server.appending(path: "enrollment-server").absoluteString, configuration: keys),
      platform: PowerAuthPlatform(store: kept))
    let (base, face) = (server.appending(path: "enrollment-onboarding-server"), options["--face"])
    return WultraPerformer(
      powerAuth, config: WPNConfig(baseUrl: base),
      ports: WultraPorts { attributes in
        guard let check = SamplePresence(attributes, at: base), let face,
          let picture = await ScreenTerminal<SampleScreens>.picture(face)
        else { return false }
        return await check.send(picture)
      })
  }

  private static func membership(_ options: SampleOptions) throws -> OneAssistPerformer? {
    guard let server = try options.address("--cover") else { return nil }
    let token = options["--token"]
    let screen = OATextScreenHost { say("\($0)\n") }
    let activation = OAActivation(
      configuration: OAConfiguration(debugAPIEndPoint: server.absoluteString, acceptsTestIMEIs: true))
    return OneAssistPerformer(
      activation, isDebugMode: true,
      ports: OneAssistPorts(token: { token }, card: { nil }, controller: { screen }))
  }

  @MainActor
  private static func bank(_ options: SampleOptions) async throws -> FinapticPerformer? {
    guard let key = options["--sdk-key"] else { return nil }
    let kept = try options.store("bank")
    let sdk = try await FinapticSDK.initialize(sdkKey: key, options: FinapticOptions(store: kept))
    return FinapticPerformer(
      sdk,
      ports: FinapticPorts(
        keepTransfers: { transfers in
          do { try kept.write(try JSONEncoder().encode(transfers), as: transfersName) } catch {
            say("A transfer cannot be kept: \(error)\n")
            throw error
          }
        },
        keptTransfers: {
          try kept.read(transfersName).map { try JSONDecoder().decode([KeptTransfer].self, from: $0) } ?? []
        }, displayName: "Customer"))
  }

  private static let transfersName = "transfers"

  /// Chosen once per folder.
  private static func deviceID(in folder: URL) throws -> String {
    let file = folder.appending(path: "device")
    if let kept = try? String(contentsOf: file, encoding: .utf8), !kept.isEmpty { return kept }
    let id = ClientRandomness.live.uuid().uuidString.lowercased()
    try Data(id.utf8).write(to: file, options: .atomic)
    return id
  }
}
