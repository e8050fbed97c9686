// SPDX-License-Identifier: Apache-2.0

/// Why a payment comes back: the codes of ISO 20022's external list ExternalReturnReason1Code that banks use, with the
/// return reason codes of Nacha's rules for ACH that mean the same.
///
/// Other codes of the list are taken from messages and kept as they are.
package enum ReturnReason: String, Sendable, CaseIterable {
  case incorrectAccountNumber = "AC01"
  case invalidDebtorAccount = "AC02"
  case invalidCreditorAccount = "AC03"
  case closedAccount = "AC04"
  case blockedAccount = "AC06"
  case transactionForbidden = "AG01"
  case invalidBankOperation = "AG02"
  case zeroAmount = "AM01"
  case notAllowedAmount = "AM02"
  case notAllowedCurrency = "AM03"
  case insufficientFunds = "AM04"
  case duplication = "AM05"
  case wrongAmount = "AM09"
  case inconsistentWithEndCustomer = "BE01"
  case customerRequest = "CUST"
  case followingCancellation = "FOCR"
  case fraud = "FRAD"
  case noMandate = "MD01"
  case endCustomerDeceased = "MD07"
  case notSpecifiedByCustomer = "MS02"
  case notSpecifiedByAgent = "MS03"
  case bankIdentifierIncorrect = "RC01"
  case regulatoryReason = "RR04"
  case technicalProblem = "TECH"

  /// Nacha's code of the same meaning; nil where ACH has none.
  package var nacha: String? { Self.pairs.first { $0.reason == self }?.nacha }

  /// - Parameter nacha: such as `R03`.
  /// - Returns: nil for a code that is not in the table.
  package init?(nacha: String) {
    guard let pair = Self.pairs.first(where: { $0.nacha == nacha }) else { return nil }
    self = pair.reason
  }

  /// Several of Nacha's codes mean one of ISO's: the first is the one that is written.
  private static let pairs: [(nacha: String, reason: ReturnReason)] = [
    ("R01", .insufficientFunds), ("R09", .insufficientFunds), ("R02", .closedAccount),
    ("R03", .incorrectAccountNumber), ("R04", .incorrectAccountNumber), ("R06", .followingCancellation),
    ("R10", .noMandate), ("R07", .noMandate), ("R29", .noMandate), ("R08", .customerRequest),
    ("R23", .notSpecifiedByCustomer), ("R13", .bankIdentifierIncorrect), ("R14", .endCustomerDeceased),
    ("R15", .endCustomerDeceased), ("R16", .blockedAccount), ("R17", .fraud), ("R18", .technicalProblem),
    ("R19", .zeroAmount), ("R20", .transactionForbidden), ("R24", .duplication), ("R31", .notSpecifiedByAgent),
  ]
}
