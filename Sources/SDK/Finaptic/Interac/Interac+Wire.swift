internal import GatehouseWire

extension CreateRegistrationRequest {
  var wire: FinapticWire.CreateRegistrationRequest {
    FinapticWire.CreateRegistrationRequest(registration: registration.wire)
  }
}

extension UpdateRegistrationRequest {
  var wire: FinapticWire.UpdateRegistrationRequest {
    FinapticWire.UpdateRegistrationRequest(registrationId: registrationId, accountId: accountId)
  }
}

extension DeleteRegistrationRequest {
  var wire: FinapticWire.DeleteRegistrationRequest {
    FinapticWire.DeleteRegistrationRequest(registrationId: registrationId)
  }
}

extension CompleteIncomingTransferRequest {
  var wire: FinapticWire.CompleteIncomingTransferRequest {
    FinapticWire.CompleteIncomingTransferRequest(
      interacPaymentNumber: interacPaymentNumber, targetAccountId: targetAccountId, recipientMemo: recipientMemo)
  }
}

extension DeclineIncomingTransferRequest {
  var wire: FinapticWire.DeclineIncomingTransferRequest {
    FinapticWire.DeclineIncomingTransferRequest(
      interacPaymentNumber: interacPaymentNumber, recipientMemo: recipientMemo)
  }
}
