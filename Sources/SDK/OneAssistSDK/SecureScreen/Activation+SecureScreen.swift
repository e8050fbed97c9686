// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import OneAssistCore
internal import OneAssistWire

extension Activation {
  /// Shows the secure screen until it is closed (specification §4.3, §7).
  func openScreen(on viewController: OAViewController) async throws(OAError) -> OAAction {
    let order = try await admitted(.openSecureScreen)
    guard let imei, let reference = order.activityReference else { throw .ERROR_IMEI_MISSING }
    #if canImport(UIKit)
      guard await UIKitScreenHost.canPresent(on: viewController) else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
      let host: any OASecureScreenHost = await UIKitScreenHost(on: viewController)
    #else
      let host = viewController
    #endif
    let screen = ShownScreen(
      host: host, imei: imei, ports: ports, key: { await self.screenKey(reference) },
      report: { await self.report($0, reference) })
    if let error = await screen.run() { throw error }
    return .secureScreenDismissed
  }

  private func screenKey(_ reference: String) async -> Result<OneAssist.ScreenKey, OAError> {
    let client = client
    do throws(OAError) {
      let key = try await told { () async throws(CallFailure) in try await client.screenKey(reference) }
      learn(key.taskInfo)
      return .success(key)
    } catch {
      return .failure(error)
    }
  }

  /// For the reviewer; its failure is only noted.
  private func report(_ event: OneAssist.ScreenEvent, _ reference: String) {
    let client = client
    backgroundTask { _ = try? await client.report(event, reference) }
  }
}
