// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum ErrorSamples {
  /// Line 2397 of the seed.
  package static func errors(sdk: FinapticSDK, request: InitiateApplicationRequest) {
    sdk.onboardingClient.initiateApplication(request: request) { result in
               switch result {
       case .success(let response):
           break

       case .failure(let error):
           switch error.code {
           case .unavailable:
               print("Check your internet connection and try again")
           case .deadlineExceeded:
               print("Operation couldn't complete in the default timeout. Try again.")
           default:
               print("Initiate application error: \(error)")
           }
       }
    }
  }
}
