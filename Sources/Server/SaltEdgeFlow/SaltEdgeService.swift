import Kit

/// What the routes and effects of this flow are made of.
package struct SaltEdgeService: Sendable {
  package let core: CoreDependencies
  package let policy: SaltEdgePolicy
  package let keys: ServiceKeys
  package let bank: BankClient
  let gate: DeviceGate

  /// - Parameter remote: calls banks that have servers of their own.
  package init(core: CoreDependencies, policy: SaltEdgePolicy, keys: ServiceKeys, remote: BankClient) {
    (self.core, self.policy, self.keys) = (core, policy, keys)
    bank = .routing(remote: remote, hosted: HostedBank(core: core, policy: policy).client)
    gate = DeviceGate(core: core, policy: policy)
  }
}
