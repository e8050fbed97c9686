// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import Storage
import Synchronization

/// The stores that a command has opened: `Gatehouse.main` closes them when the command has ended, however it ended.
enum OpenedStores {
  private static let all = Mutex<[any SQLDatabase]>([])

  static func keep(_ store: any SQLDatabase) -> any SQLDatabase {
    all.withLock { $0.append(store) }
    return store
  }

  static func keep(_ app: App) -> App {
    _ = keep(app.database)
    return app
  }

  static func close() {
    let stores = all.withLock { stores in
      defer { stores = [] }
      return stores
    }
    // What the command did is committed: that the last reader is still busy takes nothing of it back.
    for store in stores { try? store.close() }
  }
}
