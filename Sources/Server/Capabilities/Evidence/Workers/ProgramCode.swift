// SPDX-License-Identifier: Apache-2.0

import CVision

/// The code and the constants of this program and of its libraries, as far as they are in its memory.
package enum ProgramCode {
  /// Takes them out of this process's memory. What is used again comes back by itself; what only a start needs
  /// (relocations, the search for types, commands) stays out.
  package static func release() { cvision_return_code() }
}
