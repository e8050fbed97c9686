import Capabilities
import HTTP
import Kit

/// Finaptic's customers: how they sign up, become customers of a bank and use what it gives them.
package struct FinapticRoom: Sendable {
  package let parts: FinapticParts
  let rates: NodeRates
  let memory: AnswerMemory

  package init(parts: FinapticParts) {
    self.parts = parts
    rates = NodeRates(world: parts.world)
    memory = AnswerMemory(database: parts.database, idempotency: parts.idempotency, world: parts.world) {
      try FinapticDialect.stored($0, path: $1.path, correlationID: $1.correlationID)
    }
  }

  /// Guessing links costs their limit.
  package func guardingLinks<Value>(of address: String?, _ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch let problem as Problem where problem == .notFound {
      if let address { try rates.spend(parts.policy.pageRefusals, by: address) }
      throw problem
    }
  }
}
