// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  internal import Foundation
  internal import GatehouseTransport
  internal import UIKit

  extension ActivationPorts {
    static func ofThisDevice() -> ActivationPorts {
      ActivationPorts(
        transport: network, store: KeychainStore(service: "OneAssistSDK"),
        installation: {
          // The keychain outlives the app, this does not.
          let (defaults, name) = (UserDefaults.standard, "OneAssistSDK.installation")
          if let known = defaults.string(forKey: name) { return known }
          let fresh = ClientRandomness.live.uuid().uuidString
          defaults.set(fresh, forKey: name)
          return fresh
        }, photos: .library, sheet: .instructions, screenshots: .library, pictures: .jpeg, capture: .screens,
        lamp: .screen,
        device: DeviceInfo(
          model: DeviceInfo.machine,
          system: "iOS \(ProcessInfo.processInfo.operatingSystemVersionString)"), log: .system)
    }
  }

  extension IdentifierSheet {
    /// Says where Settings shows the identifiers. An app cannot go there itself, and cannot dial `*#06#`: the Phone app
    /// does not dial numbers with `*` or `#` for others (Apple URL Scheme Reference, "Phone Links").
    static let instructions = IdentifierSheet { await ShownScreens.tell(.preferred) }
  }

  /// The app's screens, as far as the SDK puts something over them.
  @MainActor
  enum ShownScreens {
    /// The instruction that is shown, if it was not closed.
    private static weak var instruction: UIAlertController?

    /// What lies on top, where something can be presented.
    static var top: UIViewController? {
      let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
      let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
      var top = scene?.keyWindow?.rootViewController
      while let next = top?.presentedViewController, next !== instruction { top = next }
      return top
    }

    /// - Returns: whether it is shown.
    static func tell(_ texts: OAErrorTexts) async -> Bool {
      await withdraw()
      // UIKit does not call back when it cannot present.
      guard let top, top.viewIfLoaded?.window != nil, !top.isBeingDismissed else { return false }
      let alert = UIAlertController(
        title: texts["IDENTIFIERS_TITLE"], message: texts["IDENTIFIERS_WAY"], preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: texts["IDENTIFIERS_OK"], style: .default))
      instruction = alert
      await withCheckedContinuation { shown in top.present(alert, animated: true) { shown.resume() } }
      return true
    }

    /// Takes the instruction away, so that something else can be presented.
    static func withdraw() async {
      guard let alert = instruction, let presenter = alert.presentingViewController else { return }
      await withCheckedContinuation { gone in presenter.dismiss(animated: true) { gone.resume() } }
    }
  }

  extension PictureFitter {
    /// JPEG, smaller and of less quality until it fits.
    static let jpeg = PictureFitter { picture, bytesMax in
      guard let image = UIImage(data: picture) else { return nil }
      return fitted(
        image, bytesMax: bytesMax, encode: { $0.jpegData(compressionQuality: $1) },
        shrink: { image, part in
          let size = CGSize(width: image.size.width * part, height: image.size.height * part)
          return image.preparingThumbnail(of: size) ?? image
        })
    }
  }

  extension ScreenCaptureMonitor {
    #if targetEnvironment(simulator)
      static let screens = ScreenCaptureMonitor.none
    #else
      /// Any screen of the app that is recorded, or shown on another one. A scene's capture may be either.
      static let screens = ScreenCaptureMonitor(
        isRecorded: { await MainActor.run { isAnySceneCaptured } },
        isMirrored: { await MainActor.run { UIScreen.screens.contains { $0.mirrored != nil } } },
        changes: {
          AsyncStream { stream in
            let task = Task {
              for await _ in NotificationCenter.default.notifications(named: UIScreen.capturedDidChangeNotification) {
                stream.yield()
              }
            }
            stream.onTermination = { _ in task.cancel() }
          }
        })

      @MainActor
      private static var isAnySceneCaptured: Bool {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        if #available(iOS 17, *) { return scenes.contains { $0.traitCollection.sceneCaptureState == .active } }
        return scenes.contains(where: \.screen.isCaptured)
      }
    #endif
  }

  extension ScreenLamp {
    static let screen = ScreenLamp {
      let before = await MainActor.run {
        let (application, screen) = (UIApplication.shared, UIScreen.main)
        let before = (screen.brightness, application.isIdleTimerDisabled)
        (screen.brightness, application.isIdleTimerDisabled) = (1, true)
        return before
      }
      return {
        await MainActor.run {
          (UIScreen.main.brightness, UIApplication.shared.isIdleTimerDisabled) = before
        }
      }
    }
  }

  extension DeviceInfo {
    /// The maker's own name of the model, such as `iPhone15,2`.
    static var machine: String {
      var names = utsname()
      uname(&names)
      return withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
  }

  extension ActivationLog {
    static let system = ActivationLog { NSLog("%@", $0) }
  }
#endif
