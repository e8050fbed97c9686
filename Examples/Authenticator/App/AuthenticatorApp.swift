// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import SwiftUI

/// The example application of the Authenticator: the screens of `AuthenticatorUI` with this device's camera, web view,
/// Keychain, biometrics and notifications.
@main
struct AuthenticatorApp: App {
  @UIApplicationDelegateAdaptor(PushDelegate.self) private var pushes
  @Environment(\.scenePhase) private var phase
  @StateObject private var model = AuthenticatorModel()

  var body: some Scene {
    WindowGroup {
      PrivateWhenAway {
        AuthenticatorView(model.store, parts: Self.parts)
          .onOpenURL { address in model.store.send(.opened(.link(address.absoluteString))) }
          .onAppear {
            pushes.model = model
            model.store.send(.started)
          }
          .task { await pushes.register() }
      }
    }
    .onChange(of: phase) { new in
      if new == .background { model.store.send(.wentToBackground) }
    }
  }

  private static var parts: ScreenParts {
    ScreenParts(
      scanner: { scanned in AnyView(CodeScanner(scanned: scanned)) },
      page: { address, isEnd, ended in AnyView(WebPage(address: address, isEnd: isEnd, ended: ended)) })
  }
}
