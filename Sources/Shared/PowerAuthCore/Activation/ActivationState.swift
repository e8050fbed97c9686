// SPDX-License-Identifier: Apache-2.0

/// Where an activation stands, by the numbers of the protocol (powerauth.md §3.4). `deadlock`, the device's own
/// verdict on a counter that cannot be repaired, is no state of a server and not here.
public enum ActivationState: UInt8, CaseIterable, Hashable, Sendable {
  case created = 1
  case pendingCommit = 2
  case active = 3
  case blocked = 4
  /// For ever.
  case removed = 5

  /// Whether the protocol lets an activation go from here to there.
  public func allows(_ next: ActivationState) -> Bool {
    switch (self, next) {
    case (.created, .pendingCommit), (.pendingCommit, .active), (.active, .blocked), (.blocked, .active): true
    // Codes that commit by themselves pass the commit in one step.
    case (.created, .active): true
    case (.removed, _): false
    case (_, .removed): true
    default: false
    }
  }
}
