import FinapticWire
import Kit
import Storage

/// Makes a customer of an applicant and opens what they applied for (finaptic §5.6). One transaction each.
struct FinalizeCommands: Sendable {
  typealias Caller = OnboardingService.Caller
  typealias Answer = FinapticAPI.ApplicationResponse

  let parts: FinapticDependencies
  var book: OnboardingService { OnboardingService(parts: parts) }

  /// - Parameter fresh: id of the customer, should the user be none yet.
  func createCustomer(
    _ name: String?, for user: FinapticSignedIn, fresh: String, by caller: Caller, in tx: any SQLTransaction
  ) throws -> Answer {
    var application = try book.find(name, for: caller, in: tx)
    if let customer = application.customer {
      var answer = try book.response(application, in: tx)
      answer.customerId = customer
      return answer
    }
    let bundle = try book.bundle(of: application, in: tx)
    let event: ApplicationEvent = bundle.products.isEmpty ? .customerCompleted : .customerCreated
    guard applicationFlow.allows(event, from: application.status) else {
      throw OnboardingService.outOfOrder(application.status)
    }
    let users = FinapticUsers(parts)
    guard let known = try users.find(user.user, in: tx) else { throw Problem.signInRequired }
    // One user is one customer, however many applications they finish.
    let customer = known.customer ?? fresh
    if known.customer == nil, try !users.becomeCustomer(fresh, user.user, in: tx) { throw SQLError.outdated }
    let store = ClientProfileStore(tx, vault: parts.vault)
    var profile = try store.find(customer) ?? ClientProfile()
    profile.take(application, isVerified: bundle.needsKYC && application.needsKYC)
    try store.put(profile, customer, user: user.user, tenant: application.tenant, at: parts.world.now())
    (application.user, application.customer) = (user.user, customer)
    try book.move(&application, on: event, by: caller.actor, facts: ["customer": customer], in: tx)
    var answer = try book.response(application, in: tx)
    answer.customerId = customer
    return answer
  }

  /// - Parameter fresh: ids of products, as many as any bundle has.
  func createProduct(
    _ name: String?, customer: String, fresh: [String], by caller: Caller, in tx: any SQLTransaction
  ) throws -> Answer {
    var application = try book.find(name, for: caller, in: tx)
    let opened = OpenedProductStore(tx)
    if application.status == .applicationProcessed { return try processed(application, in: tx) }
    let bundle = try book.bundle(of: application, in: tx)
    guard application.customer == customer, applicationFlow.allows(.productsOpened, from: application.status) else {
      guard let owner = application.customer, owner != customer else {
        throw OnboardingService.outOfOrder(application.status)
      }
      throw OnboardingService.foreign
    }
    let profile = try ClientProfileStore(tx, vault: parts.vault).find(customer) ?? ClientProfile()
    let order = ProductOpening.Order(
      application: application.id, tenant: application.tenant, customer: customer, profile: profile,
      products: bundle.products, ids: Array(fresh.prefix(bundle.products.count)))
    precondition(order.ids.count == order.products.count, "An id for each product.")
    try opened.insert(order, at: parts.world.now())
    try ProductOpening(parts: parts).open(order, in: tx)
    try book.move(
      &application, on: .productsOpened, by: caller.actor, facts: ["products": order.ids.joined(separator: " ")],
      in: tx)
    return try processed(application, in: tx)
  }

  private func processed(_ application: OnboardingApplication, in tx: any SQLTransaction) throws -> Answer {
    var answer = try book.response(application, in: tx)
    answer.products = try OpenedProductStore(tx).all(of: application.id).map {
      .init(productId: $0.id, sourceDomain: $0.sourceDomain)
    }
    return answer
  }

  /// More than any bundle opens.
  static let productsMax = 8
}
