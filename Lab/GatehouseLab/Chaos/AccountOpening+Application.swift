// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseTransport

/// The way of an application, by what the server says of it.
extension AccountOpening {
  mutating func goOn(_ begun: ApplicationForm, _ sdk: FinapticSDK) async throws {
    let client = sdk.onboardingClient
    let details = try await client.getApplicationStatus(
      request: GetApplicationStatusRequest(applicationId: begun.id)
    ).basicDetails
    calls += 1
    switch details.onboardingApplicationStatus {
    case .newApplication, .dataCollection, .kycInProgress, .kycFailed: try await fill(begun, details, client)
    case .kycSuccess: try await accept(client, begun.id)
    case .applicationAccepted:
      try await signIn(sdk)
      try await finish(client, begun.id)
    case .applicationProcessed: try await collect(client, begun.id)
    default:
      broken.append("an application ended as \(details.onboardingApplicationStatus)")
      isFinished = true
    }
  }

  /// One step further, as long as something is lacking.
  private mutating func fill(
    _ begun: ApplicationForm, _ details: OnboardingOperationResponseDetails, _ client: any OnboardingClient
  ) async throws {
    let needed = details.verificationNeeded.flatMap(\.requiredUpdates)
    if let next = ApplicationForm.Update.allCases.first(where: {
      needed.contains($0.rawValue) && !begun.updates.contains($0)
    }) {
      try await begun.send(next, by: client, details.consents)
      form?.updates.insert(next)
      calls += 1
      return
    }
    guard details.verificationNeeded.contains(where: { $0.name == "KYC" }) else {
      return try await accept(client, begun.id)
    }
    guard begun.pictures.count == 2 else { return try await upload(begun, client) }
    guard begun.steps.contains(.documents) else { return try await validateDocuments(begun, client) }
    guard !isAway else {
      // The picture of the face is up, and has not been looked at yet.
      isFinished = true
      return
    }
    guard begun.steps.contains(.selfie) else {
      let answer = try await client.validateSelfie(
        request: ValidateSelfieRequest(onboardingApplicationId: begun.id, fileName: begun.pictures[1]))
      return took(.selfie, answer.basicDetails)
    }
    let answer = try await client.validateApplication(
      request: ValidateApplicationRequest(onboardingApplicationId: begun.id))
    took(.validated, answer.basicDetails)
  }

  private mutating func validateDocuments(_ begun: ApplicationForm, _ client: any OnboardingClient) async throws {
    if begun.isRefused { form?.refusalsAsked += 1 }
    let passport = DocumentInfo(
      documentType: "DOCUMENT_TYPE_CANADIAN_PASSPORT", documentCountry: "CA", frontImageFileName: begun.pictures[0])
    let details = try await client.validateDocuments(
      request: ValidateDocumentsRequest(onboardingApplicationId: begun.id, documentDetails: [passport])
    ).basicDetails
    guard begun.isRefused else { return took(.documents, details) }
    calls += 1
    guard details.requestStatus == "OK" else { return }
    // The first failure uses no retry, each later one uses one; none counts twice (finaptic §5.5).
    let least = 4 - (begun.refusalsAsked + 1)
    if details.failureStatusCodes != ["FAILURE_CODE_ID_EXPIRED"] || details.remainingAllowedRetries < least {
      broken.append(
        "after \(begun.refusalsAsked + 1) refusals: \(details.remainingAllowedRetries) retries, \(details.failureStatusCodes)"
      )
    }
    form?.isRefused = false
    form?.updates.remove(.personalDetails)
  }

  private mutating func took(_ step: ApplicationForm.Step, _ details: OnboardingOperationResponseDetails) {
    calls += 1
    guard details.requestStatus == "OK" else { return }
    form?.steps.insert(step)
    if !details.failureStatusCodes.isEmpty {
      broken.append("\(step.rawValue) failed: \(details.failureStatusCodes)")
    }
  }

  // MARK: Pictures

  /// Makes a place, or fills the one that was made. An upload that was not answered is sent again to the same address:
  /// either it is taken now, or it was then.
  private mutating func upload(_ begun: ApplicationForm, _ client: any OnboardingClient) async throws {
    guard let place = begun.place else {
      let answer = try await client.createFileUploadURL(
        request: CreateFileUploadUrlRequest(onboardingApplicationId: begun.id))
      form?.place = answer
      calls += 1
      return
    }
    guard let url = URL(string: place.uploadUrl) else { return broken.append("an upload has no address") }
    let size = 20_000 + scene.randomness.number(below: 200_000)
    let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: UInt8(truncatingIfNeeded: serial), count: size)
    let answer = try await transport.send(
      TransportRequest(method: "PUT", url: url, headers: ["content-type": "image/jpeg"], body: picture))
    calls += 1
    let isThere = answer.status == 403 && String(decoding: answer.body, as: UTF8.self).contains("ALREADY_EXISTS")
    guard answer.isSuccess || isThere else {
      troubles["upload \(answer.status)", default: 0] += 1
      if answer.status < 500 { broken.append("an address for an upload answered \(answer.status)") }
      return
    }
    if isThere { troubles["upload there already", default: 0] += 1 }
    form?.pictures.append(place.filename)
    form?.place = nil
  }

  // MARK: The end

  private mutating func accept(_ client: any OnboardingClient, _ id: String) async throws {
    _ = try await client.acceptApplication(request: AcceptApplicationRequest(onboardingApplicationId: id))
    form?.steps.insert(.accepted)
    calls += 1
  }

  private mutating func finish(_ client: any OnboardingClient, _ id: String) async throws {
    let made = try await client.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: id))
    form?.steps.insert(.customer)
    calls += 1
    if let customer, customer != made.customerId { broken.append("became a second customer") }
    customer = made.customerId
    try await collect(client, id)
  }

  /// Opens the account, or asks again which one it is.
  private mutating func collect(_ client: any OnboardingClient, _ id: String) async throws {
    let opened = try await client.finalizeApplicationCreateProduct(
      request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: id))
    form?.steps.insert(.products)
    calls += 1
    guard opened.products.count == 1, let account = opened.products.first?.productId else {
      broken.append("\(opened.products.count) products were opened")
      isFinished = true
      return
    }
    accounts.append(account)
    close()
  }
}
