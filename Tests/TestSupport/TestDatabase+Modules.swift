// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension TestDatabase {
  /// The schema of Kit and of other modules, as the product has it.
  package static func migrations(of modules: any StoredModule.Type...) -> [Migration] {
    ([KitModule.self] + modules).flatMap { $0.migrations }.sorted { $0.id < $1.id }
  }
}
