// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Logging

extension MessageLog {
  /// The log of what customers are sent, which tells the program's log where it could not keep something.
  static func telling(_ logger: Logger, _ core: CoreDependencies) -> MessageLog {
    MessageLog(core) { logger.warning("a sent message has no record", metadata: .error($0)) }
  }
}
