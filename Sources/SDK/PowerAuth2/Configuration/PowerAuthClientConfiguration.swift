// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseTransport

/// How an instance uses the network (powerauth.md §10).
public final class PowerAuthClientConfiguration {
  /// Seconds for one request, from the first byte sent to the last one received.
  public var defaultRequestTimeout: TimeInterval = 20
  /// Which of the servers that the system believes are believed.
  public var serverTrust = ServerTrust.system
  /// Whether requests may leave in clear text to others than the device itself. For test networks.
  public var allowsClearText = false
  /// The `User-Agent` header; nil for the platform's.
  public var userAgent: String?
  /// Add headers to every request; nil for none.
  public var requestInterceptors: [any PowerAuthHttpRequestInterceptor]?

  public init() {}
}
