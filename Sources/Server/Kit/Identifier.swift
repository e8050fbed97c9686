// SPDX-License-Identifier: Apache-2.0

import Storage

/// The id of a `Subject`: a UUID in lower case, never a bare string.
package struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, SQLConvertible, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ world: World) { rawValue = world.uuid() }

  package var description: String { rawValue }
}
