/// What the system says in a conversation. Each reader reads it in a language of their own.
package enum ConversationNotice: String, Sendable, Codable, CaseIterable {
  /// An agent takes part from now on.
  case joined
  /// An agent put the conversation back into the queue.
  case left
  case closed

  /// In English, as it is kept.
  /// - Parameter name: the agent's.
  func text(_ name: String) -> String {
    switch self {
    case .joined: "\(name) joined the conversation."
    case .left: "\(name) left the conversation."
    case .closed: "The conversation was closed."
    }
  }
}
