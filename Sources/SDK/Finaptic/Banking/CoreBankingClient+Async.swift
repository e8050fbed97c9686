// SPDX-License-Identifier: Apache-2.0

extension CoreBankingClient {
  /// Status and interest of an account.
  public func getAccountDetails(request: GetAccountDetailsRequest) async throws(FinapticError) -> AccountDetails {
    try await withCheckedContinuation { done in getAccountDetails(request: request) { done.resume(returning: $0) } }
      .get()
  }
}
