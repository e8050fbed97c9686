// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Synchronization

/// The body of a step until it is understood. A picture waits for its reading; the form or the text that it came in,
/// which is as long and longer, is not kept for that time.
final class StepContent: Sendable {
  private let content: Mutex<RequestContent?>

  init(_ body: RequestContent) { content = Mutex(body) }

  /// The body; an empty one when it was taken.
  var body: RequestContent { content.withLock { $0 } ?? RequestContent(bytes: Data()) }

  /// The body, which is kept no longer.
  func take() -> RequestContent {
    content.withLock { content in
      defer { content = nil }
      return content
    } ?? RequestContent(bytes: Data())
  }
}
