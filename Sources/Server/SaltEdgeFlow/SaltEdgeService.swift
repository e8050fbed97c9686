import Kit

/// The parts of this room that its routes share.
package struct SaltEdgeService: Sendable {
  package let parts: SaltEdgeDependencies
  package let bank: BankClient
  let gate: DeviceGate

  /// - Parameter remote: the line to banks that have servers of their own.
  package init(parts: SaltEdgeDependencies, remote: BankClient) {
    self.parts = parts
    bank = .lines(remote: remote, hosted: HostedBank(parts: parts).line)
    gate = DeviceGate(parts: parts)
  }
}
