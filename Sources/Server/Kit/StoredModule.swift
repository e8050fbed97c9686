// SPDX-License-Identifier: Apache-2.0

import Storage

/// A part of the product that keeps rows. The application's list of modules is where everything that concerns the store
/// finds them: the schema, the worker, the scheduler, the backup and the check of readiness.
package protocol StoredModule: Sendable {
  /// The steps of its part of the schema. A released step is never edited.
  static var migrations: [Migration] { get }
  /// The objects that its rows name; nil when it keeps none.
  static var blobReferences: BlobReferences? { get }
  /// The columns that keys of persons seal, those first for whose rows the keys are made.
  static var sealedColumns: [SealedColumn] { get }
  /// What operators decide about it; nil when they decide nothing.
  static var settings: (any ModuleSettings.Type)? { get }

  /// What the worker does, by topic. Every effect may be performed more than once.
  var effects: [String: OutboxWorker.Handler] { get }
  /// What it does regularly by itself.
  var jobs: [ScheduledJob] { get }
  /// The jobs that delete rows whose time to be kept is over.
  var retention: [ScheduledJob] { get }
}

extension StoredModule {
  package static var migrations: [Migration] { [] }
  package static var blobReferences: BlobReferences? { nil }
  package static var sealedColumns: [SealedColumn] { [] }
  package static var settings: (any ModuleSettings.Type)? { nil }
  package var effects: [String: OutboxWorker.Handler] { [:] }
  package var jobs: [ScheduledJob] { [] }
  package var retention: [ScheduledJob] { [] }
}
