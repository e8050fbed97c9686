import Storage

/// What came of a presence check.
package enum PresenceResult: String, Sendable, CaseIterable, SQLConvertible {
  case accepted, rejected, failed
}
