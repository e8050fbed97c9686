import Kit

/// The parts of this room that its routes share.
package struct SaltEdgeRoom: Sendable {
  package let parts: SaltEdgeParts
  package let bank: BankLine
  let gate: DeviceGate

  /// - Parameter remote: the line to banks that have servers of their own.
  package init(parts: SaltEdgeParts, remote: BankLine) {
    self.parts = parts
    bank = .lines(remote: remote, hosted: HostedBank(parts: parts).line)
    gate = DeviceGate(parts: parts)
  }
}
