// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where a service's requests go, and how (wultra-onboarding.md §1, §7.6).
public struct WPNConfig: Sendable {
  /// Seconds for one request by default.
  public static let timeoutIntervalDefault: TimeInterval = 20

  /// What the paths of endpoints are added to.
  public let baseUrl: URL
  /// Which servers are trusted.
  public let sslValidation: WPNSSLValidationStrategy
  /// Seconds from the first byte sent to the last one received; a call may name its own.
  public let timeoutIntervalForRequest: TimeInterval
  /// The `User-Agent` of requests that bring none themselves.
  public let userAgent: WPNUserAgent

  /// Creates the configuration.
  public init(
    baseUrl: URL, sslValidation: WPNSSLValidationStrategy = .default,
    timeoutIntervalForRequest: TimeInterval = WPNConfig.timeoutIntervalDefault,
    userAgent: WPNUserAgent = .libraryDefault
  ) {
    self.baseUrl = baseUrl
    self.sslValidation = sslValidation
    self.timeoutIntervalForRequest = timeoutIntervalForRequest
    self.userAgent = userAgent
    // From now on, so that the first request can say it.
    if userAgent == .libraryDefault { _ = NetworkKind.current }
  }

  /// Creates the configuration with an address as text.
  /// - Parameter baseUrl: if it is no address, every request fails with `network_invalidRequestObject`.
  public init(
    baseUrl: String, sslValidation: WPNSSLValidationStrategy = .default,
    timeoutIntervalForRequest: TimeInterval = WPNConfig.timeoutIntervalDefault,
    userAgent: WPNUserAgent = .libraryDefault
  ) {
    self.init(
      baseUrl: URL(string: baseUrl) ?? Self.nowhere, sslValidation: sslValidation,
      timeoutIntervalForRequest: timeoutIntervalForRequest, userAgent: userAgent)
  }

  /// The address of an endpoint; nil when the base is not an HTTP address.
  func url(of path: String) -> URL? {
    guard ["http", "https"].contains(baseUrl.scheme?.lowercased() ?? ""), baseUrl.host?.isEmpty == false else {
      return nil
    }
    return baseUrl.appendingPathComponent(path.hasPrefix("/") ? String(path.dropFirst()) : path)
  }

  /// A text that is no address becomes an address without a host.
  private static let nowhere = URL(fileURLWithPath: "/", isDirectory: true)
}
