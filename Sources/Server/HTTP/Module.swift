// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit

/// A part of the product that is reached over HTTP: a flow, or calls and pages beside the flows.
package protocol Module: StoredModule {
  /// What operators call it.
  static var name: String { get }
  /// Whether the name is that of a tenant of this module's own, which is not one of the installation's tenants.
  static func owns(tenant name: String) -> Bool

  /// What gives out and forgets what it keeps of a person; nil where it keeps nothing of people.
  var exporter: (any SubjectExporter)? { get }
  var eraser: (any SubjectEraser)? { get }

  /// How its errors are said, by the paths that its routes begin with.
  var dialects: [(prefix: String, dialect: any Dialect)] { get }

  func addRoutes(to root: RouterGroup<PublicContext>)
}

extension Module {
  package static func owns(tenant name: String) -> Bool { false }
  package var exporter: (any SubjectExporter)? { nil }
  package var eraser: (any SubjectEraser)? { nil }
  package var dialects: [(prefix: String, dialect: any Dialect)] { [] }
}
