// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/onboarding/…`: an application, from its beginning to the products (finaptic §3.1).
package struct OnboardingRoutes: Sendable {
  private typealias Wire = FinapticAPI
  private typealias Caller = OnboardingService.Caller

  let calls: FinapticCalls
  let commands: OnboardingCommands
  let files: FileCommands
  let validation: ValidationCommands
  let finalizing: FinalizeCommands
  let catalogue: ReferenceCatalogue
  private var core: CoreDependencies { calls.core }

  package func add(to groups: FinapticRouteGroups) {
    addApplication(groups.open)
    OnboardingUpdateRoutes(calls: calls, commands: commands, catalogue: catalogue).add(to: groups.open)
    addEvidence(groups.open)
    addCustomer(groups)
  }

  private func addApplication(_ group: RouterGroup<FinapticContext>) {
    group.post(FinapticMethod.initiateApplication.route) { request, context in
      let id = OnboardingApplication.ID(rawValue: core.world.randomUUID())
      let call = try await calls.read(request, context, Wire.InitiateApplicationRequest.self)
      return try await core.database.writeOnce { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let view = try commands.initiate(call.body, id: id, by: Caller(context), in: tx)
        return try calls.keep(view, for: call, in: tx)
      }
    }
    group.post(FinapticMethod.getApplicationStatus.route) { request, context in
      let asked = try await calls.body(request, Wire.ApplicationStatusRequest.self)
      return try Response.json(
        try await core.database.read { try commands.status(of: asked.applicationId, for: Caller(context), in: $0) })
    }
    group.post(FinapticMethod.acceptApplication.route) { request, context in
      let call = try await calls.read(request, context, Wire.ApplicationRequest.self)
      return try await core.database.writeOnce { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let view = try commands.accept(call.body.onboardingApplicationId, by: Caller(context), in: tx)
        return try calls.keep(view, for: call, in: tx)
      }
    }
    group.post(FinapticMethod.cancelApplication.route) { request, context in
      let call = try await calls.read(request, context, Wire.ApplicationRequest.self)
      return try await core.database.writeOnce { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let view = try commands.cancel(call.body.onboardingApplicationId, by: Caller(context), in: tx)
        return try calls.keep(view, for: call, in: tx)
      }
    }
  }

  // MARK: Pictures and their validation

  private func addEvidence(_ group: RouterGroup<FinapticContext>) {
    group.post(FinapticMethod.createFileUploadURL.route) { request, context in
      let (token, id) = (core.secret(), UploadedFile.ID(rawValue: core.world.randomUUID()))
      let call = try await calls.read(request, context, Wire.ApplicationRequest.self)
      return try await core.database.writeOnce { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let view = try files.makePlace(
          call.body.onboardingApplicationId, id: id, token: token, by: Caller(context), in: tx)
        return try calls.keep(view, for: call, in: tx)
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
    group.post(method.route) { request, context in
      let request = try await calls.read(request, context, type)
      return try await calls.act(request, within: .decision) {
        var rules = DocumentRules()
        let call = call(request.body, &rules)
        try rules.end()
        return try await validation.validate(call, of: request.body[keyPath: id], by: Caller(context), $0)
      }
    }
  }

  // MARK: Customer and products

  private func addCustomer(_ groups: FinapticRouteGroups) {
    groups.users.post(FinapticMethod.finalizeApplicationCreateCustomer.route) { request, context in
      let fresh = core.world.randomUUID()
      let call = try await calls.read(request, context, Wire.ApplicationRequest.self)
      // A user becomes one customer: decided from a row that is not there.
      return try await core.database.writeOnce(.serializable) { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let view = try finalizing.createCustomer(
          call.body.onboardingApplicationId, for: context.user, fresh: fresh, by: Caller(context), in: tx)
        return try calls.keep(view, for: call, in: tx)
      }
    }
    groups.customers.post(FinapticMethod.finalizeApplicationCreateProduct.route) { request, context in
      let fresh = (0..<FinalizeCommands.productsMax).map { _ in core.world.randomUUID() }
      let call = try await calls.read(request, context, Wire.ApplicationRequest.self)
      try await finalizing.opening.numbers.reserve(of: context.tenant.id)
      return try await core.database.writeOnce { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let view = try finalizing.createProduct(
          call.body.onboardingApplicationId, customer: context.customer, fresh: fresh, by: Caller(context), in: tx)
        return try calls.keep(view, for: call, in: tx)
      }
    }
  }
}

extension FinapticMethod {
  /// Below the base of the API: `onboarding/acceptApplication`.
  var route: RouterPath { "\(client)/\(name)" }
}
