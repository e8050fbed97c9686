// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a device says about itself when it is activated (powerauth.md §3.2).
public struct PowerAuthDevice: Sendable {
  /// The system, such as `iOS`.
  public var platform: String
  /// The model, such as `iPhone12,3`.
  public var model: String

  public init(platform: String, model: String) {
    self.platform = platform
    self.model = model
  }

  /// This device.
  public static let current = PowerAuthDevice(platform: systemName, model: machine)

  private static var systemName: String {
    #if os(iOS)
      "iOS"
    #elseif os(macOS)
      "macOS"
    #elseif os(tvOS)
      "tvOS"
    #elseif os(watchOS)
      "watchOS"
    #elseif os(visionOS)
      "visionOS"
    #else
      "linux"
    #endif
  }

  private static var machine: String {
    var facts = utsname()
    guard uname(&facts) == 0 else { return "unknown" }
    return withUnsafeBytes(of: facts.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
