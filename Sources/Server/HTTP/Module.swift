// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit

/// A part of the product that is reached over HTTP: a flow, or calls and pages beside the flows.
package protocol Module: StoredModule {
  /// What operators call it, and what its tenants' names begin with where they are not the installation's tenants.
  static var name: String { get }

  /// What gives out and forgets what it keeps of a person; nil where it keeps nothing of people.
  var exporter: (any SubjectExporter)? { get }
  var eraser: (any SubjectEraser)? { get }

  /// How its errors are said, by the paths that its routes begin with.
  var dialects: [(prefix: String, dialect: any Dialect)] { get }

  func addRoutes(to root: RouterGroup<PublicContext>)
}

extension Module {
  package var exporter: (any SubjectExporter)? { nil }
  package var eraser: (any SubjectEraser)? { nil }
  package var dialects: [(prefix: String, dialect: any Dialect)] { [] }
}
