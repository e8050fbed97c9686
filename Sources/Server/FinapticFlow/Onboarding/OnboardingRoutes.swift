import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/onboarding/…`: an application, from its beginning to the products (finaptic §3.1).
package struct OnboardingRoutes: Sendable {
  private typealias Wire = FinapticAPI
  private typealias Caller = OnboardingService.Caller

  private let service: FinapticService
  private var dependencies: FinapticDependencies { service.dependencies }

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    addApplication(groups.open)
    OnboardingUpdateRoutes(service: service, group: groups.open).add()
    addEvidence(groups.open)
    addCustomer(groups)
  }

  private func addApplication(_ group: RouterGroup<FinapticContext>) {
    let (service, dependencies, commands) = (service, dependencies, dependencies.onboardingCommands)
    group.post(FinapticMethod.initiateApplication.route) { request, context in
      let (caller, id) = (Caller(context), OnboardingApplication.ID(rawValue: dependencies.core.world.randomUUID()))
      return try await service.change(request, context, Wire.InitiateApplicationRequest.self) {
        try commands.initiate($0, id: id, by: caller, in: $1)
      }
    }
    group.post(FinapticMethod.getApplicationStatus.route) { request, context in
      let caller = Caller(context)
      return try await service.ask(request, Wire.ApplicationStatusRequest.self) { asked in
        try await dependencies.core.database.read { try commands.status(of: asked.applicationId, for: caller, in: $0) }
      }
    }
    group.post(FinapticMethod.acceptApplication.route) { request, context in
      let caller = Caller(context)
      return try await service.change(request, context, Wire.ApplicationRequest.self) {
        try commands.accept($0.onboardingApplicationId, by: caller, in: $1)
      }
    }
    group.post(FinapticMethod.cancelApplication.route) { request, context in
      let caller = Caller(context)
      return try await service.change(request, context, Wire.ApplicationRequest.self) {
        try commands.cancel($0.onboardingApplicationId, by: caller, in: $1)
      }
    }
  }

  // MARK: Pictures and their validation

  private func addEvidence(_ group: RouterGroup<FinapticContext>) {
    let (service, dependencies) = (service, dependencies)
    group.post(FinapticMethod.createFileUploadURL.route) { request, context in
      let (caller, token) = (Caller(context), dependencies.core.secret())
      let id = UploadedFile.ID(rawValue: dependencies.core.world.randomUUID())
      return try await service.change(request, context, Wire.ApplicationRequest.self) {
        try dependencies.files.makePlace($0.onboardingApplicationId, id: id, token: token, by: caller, in: $1)
      }
    }
    validate(.validateDocuments, group, Wire.ValidateDocumentsRequest.self, \.onboardingApplicationId) {
      .documents($1.documents($0.documentDetails, isRequired: true))
    }
    validate(.validateSelfie, group, Wire.ValidateSelfieRequest.self, \.onboardingApplicationId) {
      .selfie($1.name($0.fileName, "fileName", isRequired: true) ?? "")
    }
    validate(.validateApplication, group, Wire.ValidateApplicationRequest.self, \.onboardingApplicationId) {
      .application(
        $1.documents($0.documentDetails, isRequired: false),
        selfie: $1.name($0.selfieFileName, "selfieFileName", isRequired: false))
    }
  }

  private func validate<Body: Decodable & Sendable>(
    _ method: FinapticMethod, _ group: RouterGroup<FinapticContext>, _ type: Body.Type,
    _ id: any KeyPath<Body, String?> & Sendable,
    _ call: @escaping @Sendable (Body, inout DocumentRules) -> ValidationCall
  ) {
    group.post(method.route) { [service, dependencies] request, context in
      let caller = OnboardingService.Caller(context)
      return try await service.act(request, context, type, within: .decision) { asked, write in
        var rules = DocumentRules()
        let call = call(asked, &rules)
        try rules.end()
        return try await dependencies.validation(keeping: service.answers).validate(
          call, of: asked[keyPath: id], by: caller, write)
      }
    }
  }

  // MARK: Customer and products

  private func addCustomer(_ groups: FinapticRouteGroups) {
    let (service, dependencies) = (service, dependencies)
    groups.users.post(FinapticMethod.finalizeApplicationCreateCustomer.route) { request, context in
      let (caller, fresh) = (Caller(context), dependencies.core.world.randomUUID())
      // A user becomes one customer: decided from a row that is not there.
      return try await service.change(
        request, context, Wire.ApplicationRequest.self, isolation: .serializable
      ) {
        try dependencies.finalizing.createCustomer(
          $0.onboardingApplicationId, for: context.user, fresh: fresh, by: caller, in: $1)
      }
    }
    groups.customers.post(FinapticMethod.finalizeApplicationCreateProduct.route) { request, context in
      let caller = Caller(context)
      let fresh = (0..<FinalizeCommands.productsMax).map { _ in dependencies.core.world.randomUUID() }
      return try await service.change(request, context, Wire.ApplicationRequest.self) {
        try dependencies.finalizing.createProduct(
          $0.onboardingApplicationId, customer: context.customer, fresh: fresh, by: caller, in: $1)
      }
    }
  }
}

extension FinapticMethod {
  /// Below the base of the API: `onboarding/acceptApplication`.
  var route: RouterPath { "\(client)/\(name)" }
}
