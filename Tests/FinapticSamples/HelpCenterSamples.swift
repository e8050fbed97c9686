// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum HelpCenterSamples {
  /// Lines 1505 and 1510 of the seed.
  package static func listChatThreads(sdk: FinapticSDK) {
    let request = ListChatThreadsRequest(nextToken: nil)
    sdk.helpCenter.listChatThreads(request: request) { result in
        switch result {
        case .failure(let error):
            print("List chat threads failed: \(error)")

        case .success(let response):
            print("List chat threads success: \(response.items.count)")
        }
    }
  }

  /// Lines 1553 and 1559 of the seed.
  package static func listChatHistory(sdk: FinapticSDK, contactId: String) {
    let request = ListChatHistoryRequest(contactId: contactId, nextToken: nil)
    sdk.helpCenter.listChatHistory(request: request) { result in
        switch result {
        case .failure(let error):
            print("List chat history failed: \(error)")

        case .success(let response):
            print("List chat history success: \(response.items.count)")
        }
    }
  }

  /// Line 1581 of the seed.
  package static func sendMessage(chatClient: any ChatClient) {
    let request = SendMessageRequest(messageContent: "Text message")

    chatClient.sendMessage(request: request) { error in
        guard error == nil else {
            print("Send chat message failed: \(error!)")
            return
        }

        print("Chat message sent.")
    }
  }

  /// Line 1653 of the seed.
  package static func currentConnectionStatus(chatClient: any ChatClient) -> ChatConnectionStatus {
    let connectionStatus = chatClient.connectionStatus().value
    return connectionStatus
  }

  /// Line 1661 of the seed.
  package static func stopContact(chatClient: any ChatClient) {
    chatClient.stopContact { error in
        guard error == nil else {
            print("Stop contact error: \(error!)")
            return
        }

        print("Stop contract success")
    }
  }
}
