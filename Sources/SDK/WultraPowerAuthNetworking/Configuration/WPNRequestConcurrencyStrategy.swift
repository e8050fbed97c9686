// SPDX-License-Identifier: Apache-2.0

/// Which requests wait for each other. Signed requests have to reach the server in the order of their counters.
public enum WPNRequestConcurrencyStrategy: Sendable, CaseIterable {
  /// All of them wait for each other.
  case serialAll
  /// Signed ones wait for each other and for those of the PowerAuth instance.
  case serialSigned
  /// None. The app keeps signed requests in order: one that arrives after a later one is a wrong signature, and five of
  /// those block the device.
  case concurentAll

  /// `concurentAll`, as networking 1.4 spells it.
  public static let concurrentAll = WPNRequestConcurrencyStrategy.concurentAll
}
