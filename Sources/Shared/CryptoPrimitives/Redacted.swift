// SPDX-License-Identifier: Apache-2.0

/// Something that must not be read in a log: it prints as its type, and mirrors have no children.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  public var description: String { "\(Self.self)(redacted)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
