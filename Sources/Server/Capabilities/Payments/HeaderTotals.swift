// SPDX-License-Identifier: Apache-2.0

import Ledger

/// What the header of a message of payments says of them together, and what they add up to.
struct HeaderTotals {
  let element: MessageElement
  private let count: Int
  private let controlSum: ControlSum?
  private let total: (name: String, money: Money)?
  /// Of the payments; nil when the header says nothing that it is compared with.
  private var sum: ControlSum?

  /// - Parameter totalName: the element of the header that has their total in one currency.
  init(_ header: MessageElement, totalName: String) throws(MessageFault) {
    element = header
    count = try header.one("NbOfTxs").count()
    controlSum = try header.first("CtrlSum")?.controlSum()
    total = try header.first(totalName).map { element throws(MessageFault) in (totalName, try element.money()) }
    if controlSum != nil || total != nil { sum = try ControlSum() }
  }

  mutating func add(_ amount: Money) throws(MessageFault) { try sum?.add(amount) }

  /// - Parameter payments: what they are called.
  func check(_ page: PartPage, _ payments: String) throws(MessageFault) {
    guard count == page.count else {
      throw element.fault("says another number of \(payments) (NbOfTxs) than there are")
    }
    if let controlSum, sum != controlSum {
      throw element.fault("says another control sum (CtrlSum) than the amounts have")
    }
    if let total {
      guard page.settled.allSatisfy({ $0.currency == total.money.currency }), try sum == ControlSum([total.money])
      else { throw element.fault("says another total (\(total.name)) than the amounts have") }
    }
  }
}
