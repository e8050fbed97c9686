// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension CreateRegistrationRequest {
  var wire: FinapticAPI.CreateRegistrationRequest {
    FinapticAPI.CreateRegistrationRequest(registration: registration.wire)
  }
}

extension UpdateRegistrationRequest {
  var wire: FinapticAPI.UpdateRegistrationRequest {
    FinapticAPI.UpdateRegistrationRequest(registrationId: registrationId, accountId: accountId)
  }
}

extension DeleteRegistrationRequest {
  var wire: FinapticAPI.DeleteRegistrationRequest {
    FinapticAPI.DeleteRegistrationRequest(registrationId: registrationId)
  }
}

extension CompleteIncomingTransferRequest {
  var wire: FinapticAPI.CompleteIncomingTransferRequest {
    FinapticAPI.CompleteIncomingTransferRequest(
      interacPaymentNumber: interacPaymentNumber, targetAccountId: targetAccountId, recipientMemo: recipientMemo)
  }
}

extension DeclineIncomingTransferRequest {
  var wire: FinapticAPI.DeclineIncomingTransferRequest {
    FinapticAPI.DeclineIncomingTransferRequest(
      interacPaymentNumber: interacPaymentNumber, recipientMemo: recipientMemo)
  }
}
