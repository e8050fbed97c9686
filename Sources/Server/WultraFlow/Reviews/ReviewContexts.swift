import HTTP
import Hummingbird
import Identity
import Kit
import PowerAuthHTTP

/// Somebody who may look at reviews of a tenant.
package struct Reviewer: Sendable {
  package let tenant: String
  /// How audit lines name them.
  package let actor: String

  package init(tenant: String, actor: String) {
    self.tenant = tenant
    self.actor = actor
  }
}

/// A request of a proved caller, who may be a reviewer.
package protocol ReviewerContext: RequestContext {
  /// - Throws: `Problem` forbidden.
  func reviewer(deciding: Bool) throws -> Reviewer
}

extension ClientContext: ReviewerContext where Client == ServiceClient {
  /// Other servers of the institution, which answer for their own people.
  package func reviewer(deciding: Bool) throws -> Reviewer {
    try client.require(.review)
    return Reviewer(tenant: client.tenant, actor: client.actor)
  }
}
