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
          ProgressView(model.complaint)
        }
      }
      .sheet(item: $model.faceAsked) { asked in
        // A sheet lies above what is covered below it.
        PrivateWhenAway {
          PictureCamera(frame: .face, seen: { _ in }, taken: { picture in model.took(picture, asked) })
        }
      }
      .task { await model.begin() }
    }
  }

  private static var parts: ScreenParts {
    ScreenParts(
      scanner: { scanned in AnyView(CodeScanner(scanned: scanned)) },
      page: { address, isEnd, ended in AnyView(WebPage(address: address, isEnd: isEnd, ended: ended)) },
      camera: { frame, seen, taken in AnyView(PictureCamera(frame: frame, seen: seen, taken: taken)) })
  }
}
