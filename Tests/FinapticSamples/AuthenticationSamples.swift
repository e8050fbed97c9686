// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum AuthenticationSamples {
  /// Line 1247 of the seed.
  package static func signUp(sdk: FinapticSDK) {
    let credential = Credential(
               email: "sample@finaptic.com",
               password: "Password1234!@#$",
               username: "Username"
           )

    let request = SignUpRequest(credential: credential)
    sdk.authenticationClient.signUp(request: request) { result in
       switch result {
       case .success(let response):
           print(response)

       case .failure(let error):
           print("Sign up error: \(error)")
       }
    }
  }

  /// Line 1285 of the seed.
  package static func signIn(sdk: FinapticSDK) {
    let credential = Credential(
               email: "sample@finaptic.com",
               password: "Password1234!@#$",
               username: "Username"
           )

    let request = SignInRequest(credential: credential)
    sdk.authenticationClient.signIn(request: request) { result in
       switch result {
       case .success(let response):
           print(response)

       case .failure(let error):
           print("Sign up error: \(error)")
       }
    }
  }

  /// Line 1322 of the seed.
  package static func currentAuthState(sdk: FinapticSDK) {
    sdk.authenticationClient.currentAuthState() { authState in
       print("Current auth state: \(String(describing: authState))")
    }
  }

  /// Line 1329 of the seed.
  package static func refreshAuthState(sdk: FinapticSDK) {
    sdk.authenticationClient.refreshAuthState() { result in
       switch result {
       case .success(let authState):
           print("Refreshed auth state: \(String(describing: authState))")

       case .failure(let error):
           print("Refresh auth state error: \(error)")
       }
    }
  }

  /// Line 1341 of the seed.
  package static func signOut(sdk: FinapticSDK) {
    sdk.authenticationClient.signOut() { error in
       if let error = error {
           print("Sign out error: \(error)")
           return
       }
       print("Signed out")
    }
  }

  /// Line 1354 of the seed.
  package static func resetPassword(sdk: FinapticSDK) {
    let request = ResetRequest(email: "sample@finaptic.com")
    sdk.authenticationClient.resetPassword(request: request) { error in
        if let error = error {
            switch error.code {
            case .invalidArgument:
                print("Valid email is required.")

            case .unknown:
                print("Check your internet connection and try again.")

            default:
                print("Reset Password error: \(error.msg)")
            }
            return
        }

        print("Reset Password success")
    }
  }

  /// Line 1378 of the seed.
  package static func getUserInfo(authenticationClient: any AuthenticationClient) {
    authenticationClient.getUserInfo { result in
        switch result {
        case .failure(let error):
            print("Get user info error: \(error)")

        case .success(let authUserInfo):
            print("Get user info success: \(authUserInfo)")
        }
    }
  }
}
