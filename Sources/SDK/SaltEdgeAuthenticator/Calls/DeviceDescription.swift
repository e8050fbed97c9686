// SPDX-License-Identifier: Apache-2.0

/// How the app names itself to services (specification §2).
public struct DeviceDescription: Sendable, Equatable {
  private static let bytesMax = 256

  /// `Authenticator / 3.3.0(130); (iPhone 8 Plus; iOS 14.5)`
  public let userAgent: String
  /// `ios` or `android`: which kind of push token services get. Anything else is refused by theirs.
  public let platform: String

  /// - Parameters:
  ///   - model: of the device.
  ///   - system: with its version.
  public init(
    app: String, version: String, build: String, model: String, system: String, platform: String = "ios"
  ) {
    self.init(userAgent: "\(app) / \(version)(\(build)); (\(model); \(system))", platform: platform)
  }

  /// - Parameter userAgent: whole; what is not printable ASCII becomes a space.
  public init(userAgent: String, platform: String = "ios") {
    let printable = userAgent.unicodeScalars.prefix(Self.bytesMax).map { (0x20...0x7e).contains($0.value) ? $0 : " " }
    self.userAgent = String(String.UnicodeScalarView(printable))
    self.platform = platform
  }
}
