// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension SignUpRequest {
  var wire: FinapticAPI.SignUpRequest { FinapticAPI.SignUpRequest(credential: credential.wire) }
}

extension Credential {
  var wire: FinapticAPI.Credential { FinapticAPI.Credential(email: email, password: password, username: username) }
}

extension SignInRequest {
  var wire: FinapticAPI.SignInRequest {
    FinapticAPI.SignInRequest(credential: credential.wire, scope: scope, mfaCode: mfaCode)
  }
}
