// SPDX-License-Identifier: Apache-2.0

/// How long a service may take for one exchange (specification §2).
public struct ExchangeLimits: Sendable, Equatable {
  /// From the first byte sent to the last one received.
  public var deadline = Duration.seconds(30)
  /// Without a byte in either direction.
  public var silenceMax = Duration.seconds(20)

  /// The specification's values.
  public init() {}
}
