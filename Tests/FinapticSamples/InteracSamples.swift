// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum InteracSamples {
  /// Line 1760 of the seed.
  package static func createRegistration(sdk: FinapticSDK, account: Account) {
    let registration = Registration(accountId: account.id, aliasEmail: "test@finaptic.com")
    let request = CreateRegistrationRequest(registration: registration)
    sdk.interacClient.createRegistration(request: request) { result in
        switch result {
        case .success(let response):
            print("Create autodeposit registration success with email \(response.registration.aliasEmail)")

        case .failure(let error):
            switch error.code {
            case .unavailable:
                print("Check your internet connection and try again", error)
            case .deadlineExceeded:
                print("Operation couldn't complete in the default timeout. Try again.", error)

            case .transInteracInvalidAccount:
                print("Invalid account", error)
            case .transInteracAliasInUse:
                print("Autodeposit alias in use", error)
            case .transInteracRegCountExceeded:
                print("Maximum number of account-alias registrations threshold exceeded", error)
            case .transInteracInvMobNumber:
                print("Invalid mobile phone number", error)
            case .transInteracInvMobAreacode:
                print("Invalid mobile phone area code", error)

            default:
                print("Create autodeposit registration error: \(error)")
            }
        }
    }
  }

  /// Line 1819 of the seed.
  package static func listAutodepositRegistrations(sdk: FinapticSDK, account: Account) {
    let request = ListAutodepositRegistrationsRequest(accountId: account.id)
    sdk.interacClient.listAutodepositRegistrations(request: request) { result in
        switch result {
        case .success(let response):
            response.registrations.forEach { print("Autodeposit registration for  \($0.aliasEmail)") }


        case .failure(let error):
            print("List autodeposit registrations error: \(error)")
        }
    }
  }

  /// Line 1843 of the seed.
  package static func updateRegistration(sdk: FinapticSDK, accountId: String, registrationId: String) {
    let request =  UpdateRegistrationRequest(registrationId: registrationId, accountId: accountId)
    sdk.interacClient.updateRegistration(request: request) { result in
        switch result {
        case .success(let response):
            print("Update autodeposit registration success: \(response.registration)")

        case .failure(let error):
            switch error.code {
            case .unavailable:
                print("Check your internet connection and try again", error)
            case .deadlineExceeded:
                print("Operation couldn't complete in the default timeout. Try again.", error)

            case .transInteracInvalidAccount:
                print("Invalid account", error)
            case .unauthorized:
                print("Registration ID passed as argument is not owned by the current user.", error)

            default:
                print("Update autodeposit registration error: \(error)")
            }

        }
    }
  }

  /// Line 1890 of the seed.
  package static func deleteRegistration(sdk: FinapticSDK, registrationId: String) {
    let request =  DeleteRegistrationRequest(registrationId: registrationId)
    sdk.interacClient.deleteRegistration(request: request) { result in
        switch result {
        case .success(let response):
            print("Delete autodeposit registration success: \(response.registration)")

        case .failure(let error):
            switch error.code {
            case .unavailable:
                print("Check your internet connection and try again", error)
            case .deadlineExceeded:
                print("Operation couldn't complete in the default timeout. Try again.", error)

            case .unauthorized:
                print("Registration ID passed as argument is not owned by the current user.", error)

            default:
                print("Delete autodeposit registration error: \(error)")
            }
        }
    }
  }
}
