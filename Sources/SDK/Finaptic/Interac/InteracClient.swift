// SPDX-License-Identifier: Apache-2.0

/// Interac autodeposit and incoming transfers (finaptic §3.7).
public protocol InteracClient: AnyObject, Sendable {
  /// Registers an alias for autodeposit.
  func createRegistration(
    request: CreateRegistrationRequest, completion: @escaping FinapticCompletion<CreateRegistrationResponse>)
  /// Registrations of an account.
  func listAutodepositRegistrations(
    request: ListAutodepositRegistrationsRequest,
    completion: @escaping FinapticCompletion<ListAutodepositRegistrationsResponse>)
  /// Lets a registration pay to another account.
  func updateRegistration(
    request: UpdateRegistrationRequest, completion: @escaping FinapticCompletion<UpdateRegistrationResponse>)
  /// Ends a registration.
  func deleteRegistration(
    request: DeleteRegistrationRequest, completion: @escaping FinapticCompletion<DeleteRegistrationResponse>)
  /// Answers the security question.
  func authenticateIncomingTransfer(
    request: AuthenticateIncomingTransferRequest,
    completion: @escaping FinapticCompletion<AuthenticateIncomingTransferResponse>)
  /// Takes the money.
  func completeIncomingTransfer(
    request: CompleteIncomingTransferRequest,
    completion: @escaping FinapticCompletion<CompleteIncomingTransferResponse>)
  /// Sends the money back.
  func declineIncomingTransfer(
    request: DeclineIncomingTransferRequest, completion: @escaping FinapticCompletion<DeclineIncomingTransferResponse>)
}
