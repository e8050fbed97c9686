// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// The samples that speak of `self`: what an app's screen holds.
@MainActor
package final class ScreenSamples {
  package let sdk: FinapticSDK
  package var chatClient: (any ChatClient)!
  private var subscriptions = Set<AnyCancellable>()

  package init(sdk: FinapticSDK) { self.sdk = sdk }

  /// Line 684 of the seed.
  package func createFileUploadURL(applicationId: String) {
    let request = CreateFileUploadUrlRequest(onboardingApplicationId: applicationId)
    sdk.onboardingClient.createFileUploadURL(request: request) { [weak self] result in
       guard let self = self else { return }
       switch result {
       case .success(let response):
           print("File upload url: \(response.uploadUrl)")

       case .failure(let error):
           print("Create file upload url for front error: \(error)")
       }
    }
  }

  /// Line 1127 of the seed.
  package func removeAuthorizedUser(accountId: String, authorizedUserId: String) {
    let request = RemoveAuthorizedUserRequest(accountId: accountId,
                                              authorizedUser: authorizedUserId)
    self.sdk.onboardingClient.removeAuthorizedUser(request: request) { result in
        switch result {
        case .success(let response):
            print("Removed authorized user. \(response.authorizedUsers)")

        case .failure(let error):
            print("Remove authorized user failed with error: \(error)")
        }
    }
  }

  /// Lines 1476 and 1483 of the seed.
  package func startChat(displayName: String, subject: String) {
    let request = StartChatRequest(displayName: displayName,
                                    subject: subject,
                                    contactCaseId: nil)
    sdk.helpCenter.startChat(request: request) { result in
        switch result {
        case .failure(let error):
            print("Start chat error: \(error)")

        case .success(let chatClient):
            print("Start chat success")
            self.chatClient = chatClient
        }
    }
  }

  /// Line 1602 of the seed.
  package func subscribeToMessages() {
      chatClient
          .receiveMessage()
          .sink { message in

              print("On new message: \(String(describing: message))")

          }.store(in: &subscriptions)
  }

  /// Line 1620 of the seed.
  package func subscribeToEvents() {
      chatClient
          .receiveEvent()
          .sink { event in

              print("On new event: \(String(describing: event))")

          }.store(in: &subscriptions)
  }

  /// Line 1638 of the seed.
  package func subscribeToConnectionStatusChanges() {
      chatClient
          .connectionStatus()
          .sink { connectionStatus in

              print("Connection status changed: \(connectionStatus)")

          }.store(in: &subscriptions)
  }
}
