// SPDX-License-Identifier: Apache-2.0

/// Accounts as the bank's core sees them.
public protocol CoreBankingClient: AnyObject, Sendable {
  /// Status and interest of an account.
  func getAccountDetails(request: GetAccountDetailsRequest, completion: @escaping FinapticCompletion<AccountDetails>)
}
