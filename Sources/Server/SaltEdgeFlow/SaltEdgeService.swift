// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import SaltEdgeCore

/// What the routes and effects of this flow are made of.
package struct SaltEdgeService: Sendable {
  package let core: CoreDependencies
  package let policy: SaltEdgePolicy
  package let keys: ServiceKeys
  package let providers: Providers
  package let bank: BankClient
  let gate: DeviceGate

  /// Makes RSA keys of the service and of the banks that it hosts.
  package typealias KeyMaker = @Sendable () throws -> RSAPrivateKey

  /// - Parameter makeKey: draws a key, which takes long; a test gives known ones.
  package init(
    _ core: CoreDependencies, policy: SaltEdgePolicy, makeKey: @escaping KeyMaker = { try .generate() }
  ) {
    let keys = ServiceKeys(core, makeKey: makeKey)
    self.init(
      core: core, policy: policy, keys: keys, providers: Providers(core, makeKey: makeKey),
      remote: .remote(
        .curl(threads: BlockingThreadPool("peers", width: 8), timeout: policy.bankTimeout),
        // Customers wait for these: what is forwarded must not hold them up, nor they it.
        waited: .curl(threads: BlockingThreadPool("banks", width: 8), timeout: policy.waitedTimeout), keys: keys,
        policy: policy, world: core.world))
  }

  /// - Parameter remote: calls banks that have servers of their own.
  package init(
    core: CoreDependencies, policy: SaltEdgePolicy, keys: ServiceKeys, providers: Providers, remote: BankClient
  ) {
    (self.core, self.policy, self.keys, self.providers) = (core, policy, keys, providers)
    bank = .routing(remote: remote, hosted: HostedBank(core: core, policy: policy).client)
    gate = DeviceGate(core: core, policy: policy)
  }
}
