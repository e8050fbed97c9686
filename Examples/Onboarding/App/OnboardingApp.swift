// SPDX-License-Identifier: Apache-2.0

import GatehouseUI
import SwiftUI

/// The onboarding of a Rubix or Wultra customer, the activation of a membership and a bank's app, as the sections of
/// one app. Which of them it has is told by `Info.plist`.
@main
struct OnboardingApp: App {
  @StateObject private var model = OnboardingModel()

  var body: some Scene {
    WindowGroup {
      PrivateWhenAway {
        if let store = model.store {
          ScreenFlowView(store, parts: Self.parts)
        } else {
          StartView(language: model.language, hasFailed: model.hasFailed, retry: model.retry)
        }
      }
      .sheet(item: $model.faceAsked) { asked in
        // A sheet lies above what is covered below it.
        PrivateWhenAway {
          PictureCamera(frame: .face, seen: { _ in }, taken: { picture in model.took(picture, asked) })
        }
      }
      .task(id: model.retries) { await model.begin() }
    }
  }

  private static var parts: ScreenParts {
    ScreenParts(
      scanner: { scanned in AnyView(CodeScanner(scanned: scanned)) },
      page: { address, isEnd, ended in AnyView(WebPage(address: address, isEnd: isEnd, ended: ended)) },
      camera: { frame, seen, taken in AnyView(PictureCamera(frame: frame, seen: seen, taken: taken)) })
  }
}

/// What is shown before there are screens.
private struct StartView: View {
  let language: ScreenLanguage
  let hasFailed: Bool
  let retry: @MainActor () -> Void

  var body: some View {
    let locale = Locale(identifier: language.rawValue)
    VStack(alignment: .center, spacing: 16) {
      if hasFailed {
        Text(PartText.cannotBegin.text(locale))
        Button(PartText.tryAgain.text(locale), role: nil) { retry() }
      } else {
        ProgressView(PartText.beginning.text(locale))
      }
    }
    .padding()
    .environment(\.layoutDirection, language.isRightToLeft ? .rightToLeft : .leftToRight)
  }
}
