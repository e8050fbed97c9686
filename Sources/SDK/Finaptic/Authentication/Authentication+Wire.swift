internal import GatehouseWire

extension SignUpRequest {
  var wire: FinapticWire.SignUpRequest { FinapticWire.SignUpRequest(credential: credential.wire) }
}

extension Credential {
  var wire: FinapticWire.Credential { FinapticWire.Credential(email: email, password: password, username: username) }
}

extension SignInRequest {
  var wire: FinapticWire.SignInRequest {
    FinapticWire.SignInRequest(credential: credential.wire, scope: scope, mfaCode: mfaCode)
  }
}
