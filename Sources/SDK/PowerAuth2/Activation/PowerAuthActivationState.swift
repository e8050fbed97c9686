// SPDX-License-Identifier: Apache-2.0

internal import PowerAuthCore

/// Where an activation stands (powerauth.md §3.4).
public enum PowerAuthActivationState: Int, Sendable, CaseIterable {
  case created = 1
  /// It has to be committed on the server's side.
  case pendingCommit = 2
  case active = 3
  case blocked = 4
  case removed = 5
  /// The counters of device and server will not find each other again: the activation has to be removed.
  case deadlock = 128

  init(_ state: ActivationState) {
    self =
      switch state {
      case .created: .created
      case .pendingCommit: .pendingCommit
      case .active: .active
      case .blocked: .blocked
      case .removed: .removed
      }
  }
}
