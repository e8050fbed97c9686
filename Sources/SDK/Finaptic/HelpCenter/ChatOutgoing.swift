// SPDX-License-Identifier: Apache-2.0

/// Something that is to be said.
struct ChatOutgoing: Sendable {
  let text: String
  /// Under which it is said once, however often it is sent.
  let id: String
  /// Called once: nil when the server has it.
  let done: @Sendable (FinapticError?) -> Void
}
