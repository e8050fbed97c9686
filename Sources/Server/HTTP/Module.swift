import Hummingbird
import Kit

/// A part of the product that is reached over HTTP: a flow, or calls and pages beside the flows.
package protocol Module: StoredModule {
  /// How its errors are said, by the paths that its routes begin with.
  var dialects: [(prefix: String, dialect: any Dialect)] { get }

  func addRoutes(to root: RouterGroup<PublicContext>)
}

extension Module {
  package var dialects: [(prefix: String, dialect: any Dialect)] { [] }
}
