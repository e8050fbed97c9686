// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeAuthenticator
import UIKit
import UserNotifications

/// Tells services the device's token, and opens what a tapped notification names. It carries an authorization's names,
/// and nothing of what is to be confirmed (specification §9.2).
@MainActor
final class PushDelegate: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  /// Set when the app is shown; what was tapped before waits.
  var model: AuthenticatorModel? { didSet { open(waiting) } }
  private var waiting: PushPayload?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    // Before the launch ends, or the notification that launched the app is never told.
    UNUserNotificationCenter.current().delegate = self
    return true
  }

  /// Asks the user, and the system for a token when the user agrees.
  func register() async {
    let isAllowed = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound])
    if isAllowed == true { UIApplication.shared.registerForRemoteNotifications() }
  }

  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
    let token = deviceToken.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let authenticator = model?.authenticator
    // A service that was not told now is told at the next start.
    Task { _ = try? await authenticator?.updatePushToken(token) }
  }

  // The list asks services by itself: without notifications everything works but the notice.
  func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {}

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let push = PushPayload(apns: response.notification.request.content.userInfo)
    Task { @MainActor in self.open(push) }
    completionHandler()
  }

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    guard let push = PushPayload(apns: notification.request.content.userInfo) else { return [] }
    return await concerns(push) ? [.banner, .sound] : []
  }

  private func concerns(_ push: PushPayload) async -> Bool { (try? await model?.authenticator.concerns(push)) == true }

  private func open(_ push: PushPayload?) {
    guard let model, let push else { return waiting = push }
    waiting = nil
    model.store.send(.opened(.push(push)))
  }
}
