// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// Makes a customer of an applicant and opens what they applied for (finaptic §5.6). One transaction each.
struct FinalizeCommands: Sendable {
  typealias Caller = OnboardingService.Caller
  typealias Answer = FinapticAPI.ApplicationResponse

  let core: CoreDependencies
  let applications: OnboardingService
  let opening: ProductOpening

  /// - Parameter fresh: id of the customer, should the user be none yet.
  func createCustomer(
    _ name: String?, for user: FinapticSignedIn, fresh: String, by caller: Caller, in tx: any SQLTransaction
  ) throws -> Answer {
    var application = try applications.find(name, for: caller, in: tx)
    if let customer = application.customer {
      var answer = try applications.response(application, in: tx)
      answer.customerId = customer
      return answer
    }
    let bundle = try applications.bundle(of: application, in: tx)
    let event: ApplicationEvent = bundle.products.isEmpty ? .customerCompleted : .customerCreated
    guard applicationFlow.allows(event, from: application.status) else {
      throw OnboardingService.outOfOrder(application.status)
    }
    let users = FinapticUserStore(tx, vault: core.vault)
    guard let known = try users.find(user.user)?.user else { throw Problem.signInRequired }
    // One user is one customer, however many applications they finish.
    let customer = known.customer ?? fresh
    if known.customer == nil {
      // The next access token has the role.
      guard try users.setCustomer(fresh, of: user.user) else { throw SQLError.outdated }
      try core.note("user.becameCustomer", known.chain, by: user.actor, ["customer": fresh], in: tx)
    }
    let store = ClientProfileStore(tx, vault: core.vault)
    var profile = try store.find(customer) ?? ClientProfile()
    profile.take(application, isVerified: bundle.needsKYC && application.needsKYC)
    try store.put(profile, customer, user: user.user, tenant: application.tenant, at: core.world.now())
    (application.user, application.customer) = (user.user, customer)
    try applications.move(&application, on: event, by: caller.actor, facts: ["customer": customer], in: tx)
    var answer = try applications.response(application, in: tx)
    answer.customerId = customer
    return answer
  }

  /// - Parameter fresh: ids of products, as many as any bundle has.
  func createProduct(
    _ name: String?, customer: String, fresh: [String], by caller: Caller, in tx: any SQLTransaction
  ) throws -> Answer {
    var application = try applications.find(name, for: caller, in: tx)
    let opened = OpenedProductStore(tx)
    if application.status == .applicationProcessed { return try processed(application, in: tx) }
    let bundle = try applications.bundle(of: application, in: tx)
    guard application.customer == customer, applicationFlow.allows(.productsOpened, from: application.status) else {
      guard let owner = application.customer, owner != customer else {
        throw OnboardingService.outOfOrder(application.status)
      }
      throw OnboardingService.foreign
    }
    let profile = try ClientProfileStore(tx, vault: core.vault).find(customer) ?? ClientProfile()
    let order = ProductOpening.Order(
      application: application.id, tenant: application.tenant, customer: customer, profile: profile,
      products: bundle.products, ids: Array(fresh.prefix(bundle.products.count)))
    precondition(order.ids.count == order.products.count, "An id for each product.")
    try opened.insert(order, at: core.world.now())
    try opening.open(order, in: tx)
    try applications.move(
      &application, on: .productsOpened, by: caller.actor, facts: ["products": order.ids.joined(separator: " ")],
      in: tx)
    return try processed(application, in: tx)
  }

  private func processed(_ application: OnboardingApplication, in tx: any SQLTransaction) throws -> Answer {
    var answer = try applications.response(application, in: tx)
    answer.products = try OpenedProductStore(tx).all(of: application.id).map {
      .init(productId: $0.id, sourceDomain: $0.sourceDomain)
    }
    return answer
  }

  /// More than any bundle opens.
  static let productsMax = 8
}
