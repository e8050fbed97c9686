// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuth2

/// What requests say about the app that makes them.
public enum WPNUserAgent: Sendable, Equatable {
  /// The system's own words.
  case systemDefault
  /// `PowerAuthNetworking/1.3.1 (en; wifi) com.example.app/1.0 (Apple; iOS/18.0; iPhone12,3)` (wultra-onboarding.md
  /// §1).
  case libraryDefault
  /// The app's own words.
  case custom(_ value: String)

  /// The published release whose surface this module has.
  static let version = "1.3.1"

  /// The header's value; nil leaves it to the system.
  var value: String? {
    switch self {
    case .systemDefault: nil
    case .custom(let value): value
    case .libraryDefault: Self.library
    }
  }

  private static var library: String {
    let language = Locale.preferredLanguages.first ?? "??"
    let app = Bundle.main.bundleIdentifier ?? "??"
    let appVersion = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? ""
    let device = PowerAuthDevice.current
    let system = ProcessInfo.processInfo.operatingSystemVersion
    return
      "PowerAuthNetworking/\(version) (\(language); \(NetworkKind.current.rawValue)) \(app)/\(appVersion) "
      + "(\(maker); \(device.platform)/\(system.majorVersion).\(system.minorVersion); \(device.model))"
  }

  private static var maker: String {
    #if canImport(Darwin)
      "Apple"
    #else
      "unknown"
    #endif
  }
}
