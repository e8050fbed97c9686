import FinapticFlow
import HTTP
import OneAssistFlow
import RubixFlow
import SaltEdgeFlow
import WultraFlow

/// One line of the list of modules: what is known of a module before anything runs, and how the application makes it.
package struct ModuleEntry: Sendable {
  let type: any Module.Type
  let make: @Sendable (House) -> any Module

  package init<Made: Module>(_ make: @escaping @Sendable (House) -> Made) {
    type = Made.self
    self.make = make
  }
}

extension House {
  /// The modules of the product. A new flow is a line here.
  package static let product = [
    ModuleEntry { $0.rubixModule }, ModuleEntry { $0.wultraModule }, ModuleEntry { $0.saltEdgeModule },
    ModuleEntry { $0.oneAssistModule }, ModuleEntry { $0.finapticModule },
  ]
}
