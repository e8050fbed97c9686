// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit

/// What the routes and effects of this flow are made of.
package struct SaltEdgeService: Sendable {
  package let core: CoreDependencies
  package let policy: SaltEdgePolicy
  package let keys: ServiceKeys
  package let bank: BankClient
  let gate: DeviceGate

  package init(_ core: CoreDependencies, policy: SaltEdgePolicy) {
    let keys = ServiceKeys(core)
    self.init(
      core: core, policy: policy, keys: keys,
      remote: .remote(
        .curl(threads: BlockingThreadPool("peers", width: 8), timeout: policy.bankTimeout),
        // Customers wait for these: what is forwarded must not hold them up, nor they it.
        waited: .curl(threads: BlockingThreadPool("banks", width: 8), timeout: policy.waitedTimeout), keys: keys,
        policy: policy, world: core.world))
  }

  /// - Parameter remote: calls banks that have servers of their own.
  package init(core: CoreDependencies, policy: SaltEdgePolicy, keys: ServiceKeys, remote: BankClient) {
    (self.core, self.policy, self.keys) = (core, policy, keys)
    bank = .routing(remote: remote, hosted: HostedBank(core: core, policy: policy).client)
    gate = DeviceGate(core: core, policy: policy)
  }
}
