// SPDX-License-Identifier: Apache-2.0

import Hummingbird

extension Request {
  /// The path that it is routed by. The router passes over empty pieces, so that `//x/` leads where `/x` does: what
  /// is remembered of a call must not depend on how often the slash was written.
  package var routedPath: String { "/" + uri.path.split(separator: "/").joined(separator: "/") }
}
