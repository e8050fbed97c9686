import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/onboarding/…`: an application, from its beginning to the products (finaptic §3.1).
package struct OnboardingRoutes: Sendable {
  private typealias Wire = FinapticAPI

  private let room: FinapticService
  private var parts: FinapticDependencies { room.parts }
  private var commands: OnboardingCommands { parts.onboardingCommands }

  package init(_ room: FinapticService) { self.room = room }

  package func add(to doors: FinapticRouteGroups) {
    let (open, updates) = (doors.open, OnboardingUpdateRoutes(room: room))
    post(.initiateApplication, on: open, initiate)
    post(.updatePersonalDetails, on: open, updates.updatePersonalDetails)
    post(.updateContactDetails, on: open, updates.updateContactDetails)
    post(.updateAccountDetails, on: open, updates.updateAccountDetails)
    post(.updateAddresses, on: open, updates.updateAddresses)
    post(.updateConsents, on: open, updates.updateConsents)
    post(.updateCustomerResidency, on: open, updates.updateCustomerResidency)
    post(.updateDisclosures, on: open, updates.updateDisclosures)
    post(.updateEmployment, on: open, updates.updateEmployment)
    post(.updateCommunicationPreferences, on: open, updates.updateCommunicationPreferences)
    post(.createFileUploadURL, on: open, createFileUploadURL)
    post(.validateDocuments, on: open, validateDocuments)
    post(.validateSelfie, on: open, validateSelfie)
    post(.validateApplication, on: open, validateApplication)
    post(.acceptApplication, on: open, accept)
    post(.cancelApplication, on: open, cancel)
    post(.getApplicationStatus, on: open, status)
    post(.finalizeApplicationCreateCustomer, on: doors.users, createCustomer)
    post(.finalizeApplicationCreateProduct, on: doors.customers, createProduct)
  }

  /// Whether a caller may see an application, for calls beside it.
  package static func admission(_ room: FinapticService) -> AddressRoutes.Admission {
    { id, context in
      _ = try await room.parts.core.database.read { try room.parts.applications.find(id, for: .init(context), in: $0) }
    }
  }

  private func post<Context: FinapticCaller>(
    _ method: FinapticMethod, on group: RouterGroup<Context>,
    _ handler: @escaping @Sendable (Request, Context) async throws -> Response
  ) {
    group.post("\(method.client)/\(method.name)", use: handler)
  }

  // MARK: Begin, look, end

  @Sendable
  private func initiate(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let (caller, id) = (
      OnboardingService.Caller(context), OnboardingApplication.ID(rawValue: parts.core.world.randomUUID())
    )
    return try await room.change(request, context, Wire.InitiateApplicationRequest.self) { [commands] in
      try commands.initiate($0, id: id, by: caller, in: $1)
    }
  }

  @Sendable
  private func status(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    return try await room.ask(request, Wire.ApplicationStatusRequest.self) { [parts, commands] asked in
      try await parts.core.database.read { try commands.status(of: asked.applicationId, for: caller, in: $0) }
    }
  }

  @Sendable
  private func accept(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    return try await room.change(request, context, Wire.ApplicationRequest.self) { [commands] in
      try commands.accept($0.onboardingApplicationId, by: caller, in: $1)
    }
  }

  @Sendable
  private func cancel(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    return try await room.change(request, context, Wire.ApplicationRequest.self) { [commands] in
      try commands.cancel($0.onboardingApplicationId, by: caller, in: $1)
    }
  }

  // MARK: Pictures and their validation

  @Sendable
  private func createFileUploadURL(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    let (id, token) = (UploadedFile.ID(rawValue: parts.core.world.randomUUID()), parts.core.secret())
    return try await room.change(request, context, Wire.ApplicationRequest.self) { [files = parts.files] in
      try files.makePlace($0.onboardingApplicationId, id: id, token: token, by: caller, in: $1)
    }
  }

  @Sendable
  private func validateDocuments(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    return try await room.act(request, context, Wire.ValidateDocumentsRequest.self, within: .decision) {
      [validation = parts.validation] asked, record in
      var rules = DocumentRules()
      let documents = rules.documents(asked.documentDetails, isRequired: true)
      try rules.end()
      return try await validation.validate(
        .documents(documents), of: asked.onboardingApplicationId, by: caller, record)
    }
  }

  @Sendable
  private func validateSelfie(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    return try await room.act(request, context, Wire.ValidateSelfieRequest.self, within: .decision) {
      [validation = parts.validation] asked, record in
      var rules = DocumentRules()
      let name = rules.name(asked.fileName, "fileName", isRequired: true)
      try rules.end()
      return try await validation.validate(
        .selfie(name ?? ""), of: asked.onboardingApplicationId, by: caller, record)
    }
  }

  @Sendable
  private func validateApplication(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    return try await room.act(request, context, Wire.ValidateApplicationRequest.self, within: .decision) {
      [validation = parts.validation] asked, record in
      var rules = DocumentRules()
      let documents = rules.documents(asked.documentDetails, isRequired: false)
      let selfie = rules.name(asked.selfieFileName, "selfieFileName", isRequired: false)
      try rules.end()
      return try await validation.validate(
        .application(documents, selfie: selfie), of: asked.onboardingApplicationId, by: caller, record)
    }
  }

  // MARK: Customer and products

  @Sendable
  private func createCustomer(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let (caller, fresh) = (OnboardingService.Caller(context), parts.core.world.randomUUID())
    // A user becomes one customer: decided from a row that is not there.
    return try await room.change(
      request, context, Wire.ApplicationRequest.self, isolation: .serializable
    ) { [finalizing = parts.finalizing] in
      try finalizing.createCustomer(
        $0.onboardingApplicationId, for: context.user, fresh: fresh, by: caller, in: $1)
    }
  }

  @Sendable
  private func createProduct(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    let fresh = (0..<FinalizeCommands.productsMax).map { _ in parts.core.world.randomUUID() }
    return try await room.change(request, context, Wire.ApplicationRequest.self) { [finalizing = parts.finalizing] in
      try finalizing.createProduct(
        $0.onboardingApplicationId, customer: context.customer, fresh: fresh, by: caller, in: $1)
    }
  }
}
