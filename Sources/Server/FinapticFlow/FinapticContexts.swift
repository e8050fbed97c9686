import FinapticWire
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

extension HTTPField.Name {
  static let clientKey = Self(FinapticAPI.clientKeyHeader)!
}

/// Who an access token speaks for.
package struct FinapticSignedIn: Sendable {
  package let user: FinapticUser.ID
  package let identity: AccessIdentity
  /// Id of the customer that the user became; nil before that.
  package let customer: String?
  /// Rights that were stepped up to.
  package let scopes: Set<String>

  init?(_ identity: AccessIdentity) {
    guard let grant = identity.grant else { return nil }
    (user, self.identity) = (.init(rawValue: identity.subject), identity)
    customer = grant.roles.contains(FinapticRole.customer.rawValue) ? grant.customer : nil
    scopes = Set(grant.scope.split(separator: " ").map(String.init))
  }

  /// How audit lines name them.
  package var actor: String { "user:\(user)" }

  /// - Throws: `Problem` permission denied, naming the scope (finaptic §2.4).
  package func require(_ scope: FinapticScope) throws {
    guard scopes.contains(scope.rawValue) else {
      throw Problem.finaptic(.permissionDenied, "Sign in again with the scope \(scope.rawValue).")
    }
  }
}

/// A request of one of the classes of callers (finaptic §2.4).
package protocol FinapticCaller: RequestContext {
  var correlationID: String { get }
  var clientAddress: String? { get }
  var key: FinapticClientKey { get }
  var tenant: FinapticTenant { get }
  /// Nil for those who did not sign in, and where nobody asks.
  var signedIn: FinapticSignedIn? { get }
}

extension FinapticCaller {
  /// Whose idempotency keys, limits and audit lines these are.
  package var caller: String { signedIn?.user.rawValue ?? key.id.rawValue }
  package var actor: String { signedIn?.actor ?? "key:\(key.id)" }
  /// What limits go by that no account has; nil where nobody knows.
  package var network: String? { clientAddress.map(ClientNetwork.of) }
}

/// A request on its way in: filled by the gates of its group.
package struct FinapticArrival: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  var key: FinapticClientKey?
  var tenant: FinapticTenant?
  var signedIn: FinapticSignedIn?

  package init(context: PublicContext) throws {
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
  }
}

extension FinapticArrival {
  /// What limits of those who proved nothing go by; nil where nobody knows.
  var network: String? { clientAddress.map(ClientNetwork.of) }
}

/// Class A: whoever has a client key, signed in or not.
package struct FinapticContext: ChildRequestContext, FinapticCaller {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package let key: FinapticClientKey
  package let tenant: FinapticTenant
  package let signedIn: FinapticSignedIn?

  package init(context: FinapticArrival) throws {
    guard let key = context.key, let tenant = context.tenant else { throw Problem.clientKeyInvalid }
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
    (self.key, self.tenant, signedIn) = (key, tenant, context.signedIn)
  }
}

/// Class U: a signed-in user, whatever the role.
package struct FinapticUserContext: ChildRequestContext, FinapticCaller {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package let key: FinapticClientKey
  package let tenant: FinapticTenant
  package let user: FinapticSignedIn
  package var signedIn: FinapticSignedIn? { user }

  package init(context: FinapticArrival) throws {
    guard let key = context.key, let tenant = context.tenant else { throw Problem.clientKeyInvalid }
    guard let user = context.signedIn else { throw Problem.signInRequired }
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
    (self.key, self.tenant, self.user) = (key, tenant, user)
  }
}

/// Class C: a signed-in customer.
package struct FinapticCustomerContext: ChildRequestContext, FinapticCaller {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package let key: FinapticClientKey
  package let tenant: FinapticTenant
  package let user: FinapticSignedIn
  package let customer: String
  package var signedIn: FinapticSignedIn? { user }

  package init(context: FinapticArrival) throws {
    guard let key = context.key, let tenant = context.tenant else { throw Problem.clientKeyInvalid }
    guard let user = context.signedIn else { throw Problem.signInRequired }
    guard let customer = user.customer else { throw Problem.customerRequired }
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
    (self.key, self.tenant, self.user, self.customer) = (key, tenant, user, customer)
  }
}
