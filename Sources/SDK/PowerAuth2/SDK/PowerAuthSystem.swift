// SPDX-License-Identifier: Apache-2.0

/// How the SDK was compiled (powerauth.md §10).
public enum PowerAuthSystem {
  /// Whether it was compiled for debugging. An app for customers should not be.
  public static func isInDebug() -> Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }
}

/// Has no effect, as in the published SDK for customers: this one writes no log.
public func PowerAuthLogSetEnabled(_ isEnabled: Bool) {}

/// Has no effect, as in the published SDK for customers: this one writes no log.
public func PowerAuthLogSetVerbose(_ isVerbose: Bool) {}
