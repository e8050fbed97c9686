// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit

/// The composition of Finaptic: what its commands are built from, and what its routes share.
package struct FinapticService: Sendable {
  package let dependencies: FinapticDependencies
  let calls: FinapticCalls
  package let limits: NetworkLimits

  package init(dependencies: FinapticDependencies, patience: AnswerPoller = AnswerPoller()) {
    self.dependencies = dependencies
    let core = dependencies.core
    let answers = IdempotentAnswers(
      database: core.database, idempotency: core.idempotency, world: core.world, patience: patience
    ) {
      try FinapticDialect.stored($0, path: $1.path, correlationID: $1.correlationID)
    }
    calls = FinapticCalls(core: core, answers: answers)
    limits = NetworkLimits(rates: NodeRateLimits(world: core.world), policy: dependencies.policy)
  }
}
