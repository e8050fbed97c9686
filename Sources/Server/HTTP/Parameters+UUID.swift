// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit

extension Parameters {
  /// The id of an object in a path, in lower case.
  /// - Throws: `Problem` not found for what is no UUID (RFC 9562 §4).
  package func requireUUID(_ name: String) throws -> String {
    guard let id = get(name)?.canonicalUUID else { throw Problem.notFound }
    return id
  }
}
