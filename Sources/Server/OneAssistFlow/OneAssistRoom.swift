import Kit

/// The parts of this room that its routes share.
package struct OneAssistRoom: Sendable {
  package let parts: OneAssistParts
  let rates: NodeRates

  package init(parts: OneAssistParts) {
    self.parts = parts
    rates = NodeRates(world: parts.world)
  }
}
