// SPDX-License-Identifier: Apache-2.0

/// An open conversation (finaptic §8.11). Use it on the main queue, where it calls back and publishes.
public protocol ChatClient: AnyObject {
  /// Everything that is known here, newest first.
  var messages: [ChatMessage] { get }
  /// Sends a message. While the connection is down it waits, in order; `unavailable` when too much waits already,
  /// `failedPrecondition` when the conversation has ended.
  func sendMessage(request: SendMessageRequest, completion: @escaping FinapticVoidCompletion)
  /// What is said from now on, the customer's own words too once the server has them.
  func receiveMessage() -> AnyPublisher<ChatMessage, Never>
  /// What happens from now on.
  func receiveEvent() -> AnyPublisher<ChatEvent, Never>
  /// The state of the connection, beginning with the present one. What an app sends into it is ignored.
  func connectionStatus() -> CurrentValueSubject<ChatConnectionStatus, Never>
  /// Shows the other side that the customer is writing, at most every few seconds however often it is called; nothing
  /// while the connection is down.
  func sendTyping(completion: @escaping FinapticVoidCompletion)
  /// Ends the conversation here; threads and what was said stay.
  func stopContact(completion: @escaping FinapticVoidCompletion)
}

extension ChatClient {
  /// Nothing: for an app's own stand-ins from before there was one.
  public func sendTyping(completion: @escaping FinapticVoidCompletion) { completion(nil) }
}
