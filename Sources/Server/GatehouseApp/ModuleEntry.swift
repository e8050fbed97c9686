// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import Console
import Conversations
import Delivery
import FinapticFlow
import HTTP
import Identity
import Kit
import Ledger
import OneAssistFlow
import PowerAuthHTTP
import RubixFlow
import SaltEdgeFlow
import Scheduling
import Screening
import ScreeningHTTP
import Storage
import WultraFlow

/// One line of the list of modules: what is known of a module before anything runs, and how the application makes it.
package struct ModuleEntry: Sendable {
  let type: any StoredModule.Type
  let make: @Sendable (App) -> any StoredModule

  package init<Made: StoredModule>(_ make: @escaping @Sendable (App) -> Made) {
    type = Made.self
    self.make = make
  }
}

extension App {
  /// The modules of the product. A new flow is a line here.
  package static let product: [ModuleEntry] = [
    ModuleEntry { $0.kitModule }, ModuleEntry { $0.activations }, ModuleEntry { _ in ConversationsModule() },
    ModuleEntry { DeliveryModule(webhooks: $0.webhooks) }, ModuleEntry { $0.identityModule },
    ModuleEntry { CaseworkModule($0.core, caseService: $0.caseService) },
    ModuleEntry { _ in LedgerModule() },
    ModuleEntry { SchedulingModule(recorder: $0.callRecorder($0.settings.calls.recording)) },
    ModuleEntry { $0.screeningModule }, ModuleEntry { $0.powerAuthModule },
    ModuleEntry { ScreeningHTTPModule($0.screeningSource, core: $0.core, serviceClients: $0.serviceClients) },
    ModuleEntry { $0.rubixModule },
    ModuleEntry {
      WultraModule(
        $0.wultra, activations: $0.activations, serviceClients: $0.serviceClients, erasures: $0.subjectErasures,
        base: $0.settings[WultraSettings.self].base)
    },
    ModuleEntry {
      SaltEdgeModule(
        $0.saltEdge, effects: $0.saltEdgeEffects, serviceClients: $0.serviceClients, idempotency: $0.core.idempotency,
        approvalPage: { try LinkApprovalPage().response() })
    },
    ModuleEntry { OneAssistModule($0.oneAssist, serviceClients: $0.serviceClients) },
    ModuleEntry {
      FinapticModule($0.finaptic, serviceClients: $0.serviceClients, isSandbox: $0.settings.isSandbox)
    }, ModuleEntry { $0.consoleModule },
  ]
}

/// Every step of the schema, ascending. A released step is never edited.
package enum Schema {
  /// Of the product.
  package static let migrations = migrations(with: App.product)

  static func migrations(with modules: [ModuleEntry]) -> [Migration] {
    modules.flatMap { $0.type.migrations }.sorted { $0.id < $1.id }
  }
}
