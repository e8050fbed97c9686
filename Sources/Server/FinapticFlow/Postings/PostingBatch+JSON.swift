// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit

extension PostingBodies.Batch: PlainJSONReadable {
  private static let names: [StaticString] = ["purpose", "reason", "orders"]

  init?(plain reader: inout PlainJSONReader) {
    var (purpose, reason, orders) = (String?.none, String?.none, [Order]())
    orders.reserveCapacity(Postings.ordersMax)
    let isRead = reader.object(Self.names) { name, reader in
      switch name {
      case 0: purpose = reader.text()
      case 1: reason = reader.text()
      default:
        return reader.list { reader in
          guard let order = Order(plain: &reader) else { return false }
          orders.append(order)
          return true
        }
      }
      return true
    }
    // Without orders the general way finds out whether there is a list of none.
    guard isRead, let purpose, let reason, !orders.isEmpty else { return nil }
    self.init(purpose: purpose, reason: reason, orders: orders)
  }
}

extension PostingBodies.Batch.Order: PlainJSONReadable {
  private static let names: [StaticString] = ["key", "account_id", "amount", "reference"]

  init?(plain reader: inout PlainJSONReader) {
    var (key, account, amount, reference) = (String?.none, String?.none, FinapticAPI.Amount?.none, String?.none)
    let isRead = reader.object(Self.names) { name, reader in
      switch name {
      case 0: key = reader.text()
      case 1: account = reader.text()
      case 2: amount = FinapticAPI.Amount(plain: &reader)
      default:
        reference = reader.text()
        return reference != nil
      }
      return true
    }
    guard isRead, let key, let account, let amount else { return nil }
    self.init(key: key, account_id: account, amount: amount, reference: reference)
  }
}

extension PostingBodies.Results {
  /// Bytes of one result, about.
  private static let resultSize = 160

  /// The same as `WireJSON` writes.
  var json: Data {
    var writer = JSONWriter(capacity: results.count * Self.resultSize)
    writer.object { writer in
      writer.name("results")
      writer.list { writer in
        for result in results {
          writer.object { writer in
            writer.member("declined", result.declined)
            writer.member("key", result.key)
            writer.member("problem", result.problem)
            writer.member("status", result.status)
            writer.member("transaction_id", result.transaction_id)
          }
        }
      }
    }
    return writer.data
  }
}
