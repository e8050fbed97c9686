// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What moved on an account with a value date before the day of its booking.
///
/// 1. What counts on a day is the booked balance at its end, and what was booked later with a value date of that day
///    or an earlier one.
/// 2. At the end of the day of such a booking, the interest of each day from its value date on is counted again, and the
///    difference is kept. It grows with the day of the booking, so a month that was booked stays as it is.
/// 3. A difference can be negative: what was grown too much is taken off what grows later.
struct LedgerValueDates: Sendable {
  struct Move: Sendable {
    let bookedDay: Int64
    let valueDay: Int64
    /// Negative where the account is debited.
    let amount: Int64
  }

  let moves: [Move]

  /// Days whose interest changes by what was booked on a day.
  func days(changedOn day: Int64) -> Range<Int64> {
    let first = moves.filter { $0.bookedDay == day }.map(\.valueDay).min() ?? day
    return min(first, day)..<day
  }

  /// The part of what counts on a day that was booked after it, up to the end of another day.
  func later(than day: Int64, bookedThrough last: Int64) -> Int128 {
    moves.reduce(0) { sum, move in
      move.valueDay <= day && day < move.bookedDay && move.bookedDay <= last ? sum + Int128(move.amount) : sum
    }
  }

  /// What a day's interest is now and was before something was booked; nil when a number does not fit.
  /// - Parameter balance: the booked balance at the end of the day.
  func accrual(
    of day: Int64, changedOn bookedDay: Int64, balance: Int64, rate: Int64
  ) -> LedgerStore.ValueAccrual? {
    let before = Int64(exactly: Int128(balance) + later(than: day, bookedThrough: bookedDay - 1))
    let after = Int64(exactly: Int128(balance) + later(than: day, bookedThrough: bookedDay))
    guard let before, let after, let old = Ledger.growth(of: before, rate), let new = Ledger.growth(of: after, rate)
    else { return nil }
    // Neither is negative.
    return .init(day: day, bookedDay: bookedDay, balance: after, rate: rate, millionths: new - old)
  }
}

extension LedgerValueDates {
  init(_ transfers: [LedgerTransfer], on account: LedgerAccount.ID) {
    moves = transfers.map { transfer in
      let amount = transfer.order.amount.minorUnits
      return Move(
        bookedDay: Ledger.day(of: transfer.at.instant), valueDay: transfer.valueDay,
        amount: transfer.order.debit == account ? -amount : amount)
    }
  }
}

extension Ledger {
  /// How many days before its booking a value date counts at most.
  package static let valueDaysMax: Int64 = 366

  /// What came of the days whose interest a day's bookings change.
  struct ValueOutcome {
    /// All that was counted now, in millionths; nil when that is nothing.
    var millionths: Int128?
    /// Something does not fit. What was counted before it stays.
    var isBad = false
  }

  /// Counts the interest of days again that bookings of a day with earlier value dates change. It follows from what was
  /// booked up to the end of that day alone, whenever and however often it runs.
  func countAgain(
    _ account: LedgerAccount, _ product: LedgerProduct, bookedOn day: Int64, in store: LedgerStore
  ) throws -> ValueOutcome {
    let end = Self.start(ofDay: day + 1)
    let days = try store.valueDated(of: account.id, from: Self.start(ofDay: day), to: end).days(changedOn: day)
    guard !days.isEmpty else { return ValueOutcome() }
    let dates = try store.valueDated(of: account.id, from: Self.start(ofDay: days.lowerBound), to: end)
    var outcome = ValueOutcome()
    for past in days {
      guard let rate = try store.terms(of: product, on: past, for: account.id)?.yearlyInterestMillionths, rate > 0
      else { continue }
      let balance = try store.balance(of: account.id, atEndOf: past)
      guard let accrual = dates.accrual(of: past, changedOn: day, balance: balance, rate: rate) else {
        outcome.isBad = true
        break
      }
      guard accrual.millionths != 0, try store.insert(accrual, of: account.id) else { continue }
      outcome.millionths = (outcome.millionths ?? 0) + Int128(accrual.millionths)
    }
    return outcome
  }
}

extension LedgerStore {
  /// Compares the days that were counted again with the entries.
  /// - Returns: nil when one is not what follows from them; else what they took off, in millionths, 0 or below.
  func reductions(_ accruals: [ValueAccrual], of id: LedgerAccount.ID) throws -> Int128? {
    guard !accruals.isEmpty else { return 0 }
    let dates = try valueDated(of: id, from: .init(microseconds: .min), to: .init(microseconds: .max))
    var taken: Int128 = 0
    for accrual in accruals {
      // An intruder's day may be any number.
      guard Self.days.contains(accrual.day), Self.days.contains(accrual.bookedDay) else { return nil }
      let balance = try balance(of: id, atEndOf: accrual.day)
      guard
        dates.accrual(of: accrual.day, changedOn: accrual.bookedDay, balance: balance, rate: accrual.rate) == accrual
      else { return nil }
      taken += Int128(min(accrual.millionths, 0))
    }
    return taken
  }

  /// Whether every day was counted again that a booking with an earlier value date changed, of the bookings up to the
  /// last day on which the account is known to have grown. What is dead-lettered waits.
  /// - Parameter last: nil when it never grew: nothing tells then whether a day was ended.
  func hasEveryRecount(
    _ accruals: [ValueAccrual], of id: LedgerAccount.ID, in tenant: String, through last: Int64?
  ) throws -> Bool {
    guard let last else { return true }
    let dates = try valueDated(of: id, from: .init(microseconds: .min), to: .init(microseconds: .max))
    let booked = Set(dates.moves.filter { $0.valueDay < $0.bookedDay && $0.bookedDay <= last }.map(\.bookedDay))
    guard !booked.isEmpty, let product = try product(of: id, in: tenant) else { return true }
    let counted = Set(accruals.map { [$0.day, $0.bookedDay] })
    for day in booked.sorted() {
      let days = dates.days(changedOn: day)
      // An intruder's day may be any number.
      guard Self.days.contains(days.lowerBound), days.count <= Ledger.valueDaysMax else { return false }
      for past in days where !counted.contains([past, day]) {
        guard let rate = try terms(of: product, on: past, for: id)?.yearlyInterestMillionths, rate > 0,
          let owed = dates.accrual(
            of: past, changedOn: day, balance: try balance(of: id, atEndOf: past), rate: rate),
          owed.millionths != 0, try deadLettered(.accrual(day: day), among: [id]).isEmpty
        else { continue }
        return false
      }
    }
    return true
  }

  /// Far beyond any day of the books, and its microseconds fit 64 bits.
  private static let days: ClosedRange<Int64> = -10_000_000...10_000_000
}
