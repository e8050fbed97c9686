// SPDX-License-Identifier: Apache-2.0

import Console
import FinapticFlow
import Identity
import Kit

extension StatementSource {
  /// Of Finaptic's customers.
  static func finaptic(_ service: FinapticService) -> StatementSource {
    let statements = service.dependencies.statements
    return StatementSource(
      list: { account, member in
        try await statements.list(of: .init(rawValue: account), at: member.tenant, by: member.actor, why: .search).map {
          Row(
            id: $0.id.rawValue, month: $0.month.text, revision: $0.revision, createdAt: $0.createdAt,
            digest: $0.pdf.digest)
        }
      },
      document: { statement, form, account, member in
        try await statements.document(
          .init(rawValue: statement), suffix: form, of: .init(rawValue: account), at: member.tenant, by: member.actor,
          why: .list)
      })
  }
}
