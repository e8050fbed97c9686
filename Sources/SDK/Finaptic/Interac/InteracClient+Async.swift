// SPDX-License-Identifier: Apache-2.0

extension InteracClient {
  /// Registers an alias for autodeposit.
  public func createRegistration(
    request: CreateRegistrationRequest
  ) async throws(FinapticError) -> CreateRegistrationResponse {
    try await withCheckedContinuation { done in createRegistration(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Registrations of an account.
  public func listAutodepositRegistrations(
    request: ListAutodepositRegistrationsRequest
  ) async throws(FinapticError) -> ListAutodepositRegistrationsResponse {
    try await withCheckedContinuation { done in
      listAutodepositRegistrations(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Lets a registration pay to another account.
  public func updateRegistration(
    request: UpdateRegistrationRequest
  ) async throws(FinapticError) -> UpdateRegistrationResponse {
    try await withCheckedContinuation { done in updateRegistration(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Ends a registration.
  public func deleteRegistration(
    request: DeleteRegistrationRequest
  ) async throws(FinapticError) -> DeleteRegistrationResponse {
    try await withCheckedContinuation { done in deleteRegistration(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Answers the security question.
  public func authenticateIncomingTransfer(
    request: AuthenticateIncomingTransferRequest
  ) async throws(FinapticError) -> AuthenticateIncomingTransferResponse {
    try await withCheckedContinuation { done in
      authenticateIncomingTransfer(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Takes the money.
  public func completeIncomingTransfer(
    request: CompleteIncomingTransferRequest
  ) async throws(FinapticError) -> CompleteIncomingTransferResponse {
    try await withCheckedContinuation { done in
      completeIncomingTransfer(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Sends the money back.
  public func declineIncomingTransfer(
    request: DeclineIncomingTransferRequest
  ) async throws(FinapticError) -> DeclineIncomingTransferResponse {
    try await withCheckedContinuation { done in declineIncomingTransfer(request: request) { done.resume(returning: $0) }
    }.get()
  }
}
