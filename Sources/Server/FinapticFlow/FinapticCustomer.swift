/// A signed-in customer as commands know them.
package struct FinapticCustomer: Sendable {
  package let tenant: FinapticTenant
  /// The customer's id.
  package let customer: String
  package let signedIn: FinapticSignedIn
  package var actor: String { signedIn.actor }

  package init(_ context: FinapticCustomerContext) {
    (tenant, customer, signedIn) = (context.tenant, context.customer, context.user)
  }
}
