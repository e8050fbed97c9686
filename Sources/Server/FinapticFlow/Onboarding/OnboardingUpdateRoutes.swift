// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Hummingbird
import Kit

/// The nine updates: checked whole, then written down (finaptic §4.1).
struct OnboardingUpdateRoutes: Sendable {
  private typealias Wire = FinapticAPI

  let calls: FinapticCalls
  let commands: OnboardingCommands
  let catalogue: ReferenceCatalogue

  func add(to group: RouterGroup<FinapticContext>) {
    post(group, .updatePersonalDetails, Wire.UpdatePersonalDetailsRequest.self)
    post(group, .updateContactDetails, Wire.UpdateContactDetailsRequest.self)
    post(group, .updateAccountDetails, Wire.UpdateAccountDetailsRequest.self)
    post(group, .updateAddresses, Wire.UpdateAddressesRequest.self)
    post(group, .updateConsents, Wire.UpdateConsentsRequest.self)
    post(group, .updateCustomerResidency, Wire.UpdateCustomerResidencyRequest.self)
    post(group, .updateDisclosures, Wire.UpdateDisclosuresRequest.self)
    post(group, .updateEmployment, Wire.UpdateEmploymentRequest.self)
    post(group, .updateCommunicationPreferences, Wire.UpdateCommunicationPreferencesRequest.self)
  }

  private func post<Update: OnboardingUpdate>(
    _ group: RouterGroup<FinapticContext>, _ method: FinapticMethod, _ type: Update.Type
  ) {
    group.post(method.route) { request, context in
      let call = try await calls.read(request, context, type)
      return try await calls.core.database.writeOnce { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let update = try call.body.checked(by: InputRules(catalogue: catalogue, now: calls.core.world.now()))
        return try calls.keep(commands.update(update, by: .init(context), in: tx), for: call, in: tx)
      }
    }
  }
}
