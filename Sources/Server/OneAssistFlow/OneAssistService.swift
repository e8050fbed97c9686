import Kit

/// The parts of this room that its routes share.
package struct OneAssistService: Sendable {
  package let parts: OneAssistDependencies
  let rates: NodeRates

  package init(parts: OneAssistDependencies) {
    self.parts = parts
    rates = NodeRates(world: parts.world)
  }
}
