// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit
import RubixWire

/// `/compliance/…`
package struct FormRoutes: Sendable {
  let commands: FormCommands

  package func add(to group: RouterGroup<CustomerContext>) {
    for kind in ComplianceFormKind.allCases {
      group.get("compliance/\(kind.rawValue)") { _, context in
        try Response.json(try await commands.template(kind, for: context.customer))
      }
      group.post("compliance/\(kind.rawValue)") { request, context in
        Response(try await commands.submit(kind, StepRequest(request, context)))
      }
    }
  }
}
