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
        }, photos: .library, sheet: .dialler, screenshots: .library, pictures: .jpeg, capture: .screens, lamp: .screen,
        device: DeviceInfo(
          model: DeviceInfo.machine,
          system: "iOS \(ProcessInfo.processInfo.operatingSystemVersionString)"), log: .system)
    }
  }

  extension IdentifierSheet {
    /// The telephone's service code, which shows every identifier.
    static let dialler = IdentifierSheet {
      guard let url = URL(string: "tel:*%2306%23") else { return false }
      return await MainActor.run { UIApplication.shared.canOpenURL(url) } ? await Self.open(url) : false
    }

    @MainActor
    private static func open(_ url: URL) async -> Bool { await UIApplication.shared.open(url, options: [:]) }
  }

  extension PictureFitter {
    /// JPEG, smaller and of less quality until it fits.
    static let jpeg = PictureFitter { picture, bytesMax in
      guard var image = UIImage(data: picture) else { return nil }
      for quality in [0.9, 0.8, 0.7, 0.6, 0.5] {
        guard let bytes = image.jpegData(compressionQuality: quality) else { return nil }
        if bytes.count <= bytesMax { return bytes }
        let size = CGSize(width: image.size.width * 0.8, height: image.size.height * 0.8)
        image = image.preparingThumbnail(of: size) ?? image
      }
      return nil
    }
  }

  extension ScreenCaptureMonitor {
    #if targetEnvironment(simulator)
      static let screens = ScreenCaptureMonitor.none
    #else
      /// Any screen of the app that is recorded, or shown on another one. A scene's capture may be either.
      static let screens = ScreenCaptureMonitor(
        isRecorded: {
          await MainActor.run {
            UIApplication.shared.connectedScenes.contains { scene in
              (scene as? UIWindowScene)?.traitCollection.sceneCaptureState == .active
            }
          }
        },
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
