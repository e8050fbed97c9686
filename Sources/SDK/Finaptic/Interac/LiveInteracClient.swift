// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Interac, over the wire.
final class LiveInteracClient: InteracClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func createRegistration(
    request: CreateRegistrationRequest, completion: @escaping FinapticCompletion<CreateRegistrationResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.RegistrationResponse = try await calls.send(.createRegistration, request.wire)
      return CreateRegistrationResponse(registration: Registration(answer.registration))
    }
  }

  func listAutodepositRegistrations(
    request: ListAutodepositRegistrationsRequest,
    completion: @escaping FinapticCompletion<ListAutodepositRegistrationsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.RegistrationsResponse = try await calls.send(
        .listAutodepositRegistrations, FinapticAPI.AccountRequest(accountId: request.accountId))
      return ListAutodepositRegistrationsResponse(registrations: answer.registrations.map { Registration($0) })
    }
  }

  func updateRegistration(
    request: UpdateRegistrationRequest, completion: @escaping FinapticCompletion<UpdateRegistrationResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.RegistrationResponse = try await calls.send(.updateRegistration, request.wire)
      return UpdateRegistrationResponse(registration: Registration(answer.registration))
    }
  }

  func deleteRegistration(
    request: DeleteRegistrationRequest, completion: @escaping FinapticCompletion<DeleteRegistrationResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.RegistrationResponse = try await calls.send(.deleteRegistration, request.wire)
      return DeleteRegistrationResponse(registration: Registration(answer.registration))
    }
  }

  func authenticateIncomingTransfer(
    request: AuthenticateIncomingTransferRequest,
    completion: @escaping FinapticCompletion<AuthenticateIncomingTransferResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      // The salt comes with the question.
      let incoming: FinapticAPI.IncomingTransferResponse = try await calls.send(
        .getIncomingTransferDetails,
        FinapticAPI.IncomingTransferRequest(interacPaymentNumber: request.interacPaymentNumber))
      let digest = SecurityAnswer.digest(of: request.securityAnswer, salt: incoming.transferDetails.hashSalt ?? "")
      let answer: FinapticAPI.AuthenticateIncomingTransferResponse = try await calls.send(
        .authenticateIncomingTransfer,
        FinapticAPI.AuthenticateIncomingTransferRequest(
          interacPaymentNumber: request.interacPaymentNumber, securityAnswer: digest))
      return AuthenticateIncomingTransferResponse(
        interacPaymentNumber: answer.interacPaymentNumber, success: answer.success, retryAllowed: answer.retryAllowed)
    }
  }

  func completeIncomingTransfer(
    request: CompleteIncomingTransferRequest, completion: @escaping FinapticCompletion<CompleteIncomingTransferResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.CompleteIncomingTransferResponse = try await calls.send(
        .completeIncomingTransfer, request.wire)
      return CompleteIncomingTransferResponse(
        interacPaymentNumber: answer.interacPaymentNumber, transactionId: answer.transactionId,
        lifecycleTransactionId: answer.lifecycleTransactionId)
    }
  }

  func declineIncomingTransfer(
    request: DeclineIncomingTransferRequest, completion: @escaping FinapticCompletion<DeclineIncomingTransferResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.DeclineIncomingTransferResponse = try await calls.send(
        .declineIncomingTransfer, request.wire)
      return DeclineIncomingTransferResponse(interacPaymentNumber: answer.interacPaymentNumber)
    }
  }
}
