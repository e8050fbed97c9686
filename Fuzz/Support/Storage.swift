// SPDX-License-Identifier: Apache-2.0

/// As much of the store as a point in time names.
package enum SQLValue { case integer(Int64) }

package protocol SQLConvertible {
  var sqlValue: SQLValue { get }
  init(sqlValue: SQLValue) throws
}

extension Int64 {
  package init(sqlValue: SQLValue) throws {
    switch sqlValue {
    case .integer(let value): self = value
    }
  }
}
