import Foundation
import Kit
import Storage

/// Who may see an account: its owners and authorized users. To everybody else it is as if it were not there, so that
/// nobody learns which ids are accounts (finaptic §10.9).
package struct AccountAccess {
  let tx: any SQLTransaction
  let tenant: Int
  let customer: String

  package init(_ tx: any SQLTransaction, tenant: Int, customer: String) {
    (self.tx, self.tenant, self.customer) = (tx, tenant, customer)
  }

  /// - Returns: nil when there is no such account or the customer has nothing to do with it.
  package func find(_ id: BankAccount.ID) throws -> BankAccount? {
    let store = AccountStore(tx)
    guard try store.role(of: customer, on: id) != nil else { return nil }
    return try store.find(id, tenant: tenant)
  }

  /// - Parameters:
  ///   - name: as the caller sent it.
  ///   - field: the member that it came in.
  /// - Throws: `Problem` invalid argument for what is no id; not found.
  package func account(_ name: String?, field: String = "/accountId") throws -> BankAccount {
    guard let account = try find(try Self.id(name, field: field)) else { throw Problem.notFound }
    return account
  }

  /// As the id of an account is written: a UUID, in lower case.
  /// - Throws: `Problem` invalid argument.
  package static func id(_ name: String?, field: String = "/accountId") throws -> BankAccount.ID {
    .init(rawValue: try uuid(name, field: field))
  }

  /// - Throws: `Problem` invalid argument.
  package static func uuid(_ name: String?, field: String) throws -> String {
    guard let name = name?.trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty else {
      throw Problem.finapticFields([.init(field, "required", "An id is required.")])
    }
    guard let id = UUID(uuidString: name) else {
      throw Problem.finapticFields([.init(field, "malformed", "This is not a UUID.")])
    }
    return id.uuidString.lowercased()
  }
}
