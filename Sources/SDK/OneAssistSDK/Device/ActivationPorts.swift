// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import GatehouseTransport

/// Everything that an activation asks of the device (specification §10). `ofThisDevice` has the values for the platform.
package struct ActivationPorts: Sendable {
  /// The network; the argument is whether plain http is allowed.
  package var transport: @Sendable (_ allowsClearText: Bool) -> HTTPTransport
  package var clock = ClientClock.live
  package var randomness = ClientRandomness.live
  /// Where numbers are kept.
  package var store: any SecureStore
  /// Names this installation of the app; another one does not know what an earlier one kept.
  package var installation: @Sendable () -> String
  package var photos: PhotoPermission
  package var sheet: IdentifierSheet
  package var screenshots: ScreenshotWatcher
  package var pictures: PictureFitter
  package var capture: ScreenCaptureMonitor
  package var lamp: ScreenLamp
  package var device: DeviceInfo
  /// Used in debug mode only.
  package var log: ActivationLog

  package init(
    transport: @escaping @Sendable (Bool) -> HTTPTransport, store: any SecureStore,
    installation: @escaping @Sendable () -> String = { "here" }, photos: PhotoPermission, sheet: IdentifierSheet,
    screenshots: ScreenshotWatcher, pictures: PictureFitter = .asTheyAre,
    capture: ScreenCaptureMonitor = .none, lamp: ScreenLamp = .none, device: DeviceInfo, log: ActivationLog = .silent
  ) {
    (self.transport, self.store, self.installation) = (transport, store, installation)
    (self.photos, self.sheet, self.screenshots) = (photos, sheet, screenshots)
    (self.pictures, self.capture, self.lamp) = (pictures, capture, lamp)
    (self.device, self.log) = (device, log)
  }

  /// The device's network. What is safe to repeat is repeated; "too many" is the app's to handle.
  package static let network: @Sendable (Bool) -> HTTPTransport = { allowsClearText in
    HTTPTransport.live(allowingClearText: allowsClearText).retrying(
      RetryPolicy(statuses: [502, 503, 504]), clock: .live, randomness: .live)
  }
}

/// May the app see screenshots?
package struct PhotoPermission: Sendable {
  package enum Answer: Sendable {
    case full, limited, denied
  }

  /// Asks the user when it was never asked.
  package let ask: @Sendable () async -> Answer

  package init(ask: @escaping @Sendable () async -> Answer) { self.ask = ask }
}

/// Leads the user to where the system shows the phone's identifiers.
package struct IdentifierSheet: Sendable {
  /// - Returns: false when the user cannot be told, or the device has no such place.
  package let open: @Sendable () async -> Bool

  package init(open: @escaping @Sendable () async -> Bool) { self.open = open }
}

/// Learns of screenshots as they are taken.
package struct ScreenshotWatcher: Sendable {
  package enum Event: Sendable {
    case taken(Screenshot)
    /// One was taken, and the app cannot find it or may not see it.
    case missing
    /// The app went to the background, and came back.
    case left, returned
  }

  /// From when this returns, everything is told. The stream ends when waiting longer is no use.
  package let watch: @Sendable () async -> AsyncStream<Event>
  /// Has the user pick the screenshot, where the app may see chosen photos only: it is never told of a new one there.
  /// Nil when the user picks none.
  package let choose: @Sendable () async -> Screenshot?

  package init(
    watch: @escaping @Sendable () async -> AsyncStream<Event>,
    choose: @escaping @Sendable () async -> Screenshot? = { nil }
  ) {
    (self.watch, self.choose) = (watch, choose)
  }
}

/// A screenshot that may be loaded.
package struct Screenshot: Sendable {
  /// Seconds since 1970.
  package let takenAt: Double
  /// Nil when it cannot be had, because it is somewhere else or broken.
  package let load: @Sendable () async -> Data?

  package init(takenAt: Double, load: @escaping @Sendable () async -> Data?) {
    (self.takenAt, self.load) = (takenAt, load)
  }
}

/// Makes pictures small enough to be sent.
package struct PictureFitter: Sendable {
  /// - Returns: the picture in at most so many bytes; nil when it is no picture, or cannot be made so small.
  package let fit: @Sendable (_ picture: Data, _ bytesMax: Int) async -> Data?

  package init(fit: @escaping @Sendable (Data, Int) async -> Data?) { self.fit = fit }

  /// Makes a picture smaller, and of less quality, until it fits.
  /// - Parameters:
  ///   - encode: in a quality of at most 1; nil when it cannot be.
  ///   - shrink: to a part of its width and height.
  /// - Returns: nil when it cannot be encoded, and when it does not fit in the last quality.
  package static func fitted<Picture>(
    _ picture: Picture, bytesMax: Int, encode: (Picture, _ quality: Double) -> Data?,
    shrink: (Picture, _ part: Double) -> Picture
  ) -> Data? {
    var picture = picture
    for quality in [0.9, 0.8, 0.7, 0.6, 0.5] {
      guard let bytes = encode(picture, quality) else { return nil }
      if bytes.count <= bytesMax { return bytes }
      picture = shrink(picture, 0.8)
    }
    return nil
  }

  /// Sends what is small enough.
  package static let asTheyAre = PictureFitter { picture, bytesMax in picture.count <= bytesMax ? picture : nil }
}

/// Whether any screen is recorded or mirrored.
package struct ScreenCaptureMonitor: Sendable {
  package let isRecorded: @Sendable () async -> Bool
  /// Shown on another screen as well.
  package let isMirrored: @Sendable () async -> Bool
  /// One element whenever the system says that it may be otherwise now.
  package let changes: @Sendable () -> AsyncStream<Void>

  package init(
    isRecorded: @escaping @Sendable () async -> Bool, isMirrored: @escaping @Sendable () async -> Bool,
    changes: @escaping @Sendable () -> AsyncStream<Void> = { AsyncStream { $0.finish() } }
  ) {
    (self.isRecorded, self.isMirrored, self.changes) = (isRecorded, isMirrored, changes)
  }

  /// Whether the screen is recorded or shown on another display.
  package func isCaptured() async -> Bool {
    if await isRecorded() { return true }
    return await isMirrored()
  }

  /// Where screens are neither recorded nor mirrored.
  package static let none = ScreenCaptureMonitor(isRecorded: { false }, isMirrored: { false })
}

/// The screen's brightness, and whether it goes dark by itself.
package struct ScreenLamp: Sendable {
  /// As bright as it gets, and lit; gives back what undoes it.
  package let raise: @Sendable () async -> @Sendable () async -> Void

  package init(raise: @escaping @Sendable () async -> @Sendable () async -> Void) { self.raise = raise }

  /// Where nothing can be turned up.
  package static let none = ScreenLamp { {} }
}

/// What the device is.
package struct DeviceInfo: Sendable {
  /// Marketing name, or the maker's own where that is not known.
  package let model: String
  /// With its version.
  package let system: String

  package init(model: String, system: String) { (self.model, self.system) = (model, system) }

  var userAgent: String {
    let text = "OneAssistSDK/\(ActivationAPIClient.version) (\(model); \(system))"
    return String(String.UnicodeScalarView(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? $0 : " " }))
  }
}
