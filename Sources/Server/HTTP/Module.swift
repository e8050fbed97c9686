import Hummingbird
import Kit
import Storage

/// A part of the product with a schema, routes and work of its own. The application is a list of modules.
package protocol Module: Sendable {
  /// The steps of its part of the schema. A released step is never edited.
  static var migrations: [Migration] { get }
  /// The objects that its rows name; nil when it keeps none.
  static var blobReferences: BlobReferences? { get }

  /// How its errors are said, by the paths that its routes begin with.
  var dialects: [(prefix: String, dialect: any Dialect)] { get }
  /// What the worker does, by topic. Every effect may be performed more than once.
  var effects: [String: OutboxWorker.Handler] { get }
  /// What it does regularly by itself.
  var jobs: [ScheduledJob] { get }

  func addRoutes(to root: RouterGroup<PublicContext>)
}

extension Module {
  package static var blobReferences: BlobReferences? { nil }
  package var dialects: [(prefix: String, dialect: any Dialect)] { [] }
  package var effects: [String: OutboxWorker.Handler] { [:] }
  package var jobs: [ScheduledJob] { [] }
}
