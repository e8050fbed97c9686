// SPDX-License-Identifier: Apache-2.0

import Storage

extension SQLDatabase {
  /// Actions of a chain of the audit log, in order.
  package func auditActions(of chain: String) async throws -> [String] {
    try await read {
      try $0.query("SELECT action FROM audit_line WHERE chain = \(chain) ORDER BY sequence").map {
        try $0.get("action")
      }
    }
  }
}
