// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit

/// What people live on (finaptic §4.1).
extension InputRules {
  /// Who has an employer, an industry and a place of work.
  static let working: Set<String> = [
    "EMPLOYMENT_STATUS_EMPLOYED", "EMPLOYMENT_STATUS_SELF_EMPLOYED", "EMPLOYMENT_STATUS_STUDENT_EMPLOYED",
  ]

  package func employment(
    _ request: FinapticAPI.UpdateEmploymentRequest
  ) throws -> FinapticAPI.UpdateEmploymentRequest {
    try checked { check in
      let path = "employmentInfo"
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      guard let given = check.required(request.employmentInfo, path, true) else { return nil }
      let status = check.code(
        given.employmentStatus, "\(path).employmentStatus", of: ReferenceType.employmentStatus, in: catalogue)
      let isWorking = status.map(Self.working.contains) ?? false
      if status != nil, !isWorking, InputCheck.clean(given.occupation) != nil {
        check.refuse("\(path).occupation", "forbidden", "Empty for this employment status.")
      }
      return .init(
        onboardingApplicationId: id,
        employmentInfo: employment(given, path, status, isWorking, &check))
    }
  }

  private func employment(
    _ given: FinapticAPI.Employment, _ path: String, _ status: String?, _ isWorking: Bool, _ check: inout InputCheck
  ) -> FinapticAPI.Employment {
    let (start, end) = (
      check.day(given.startDate, "\(path).startDate"), check.day(given.endDate, "\(path).endDate")
    )
    // Only year and month count.
    if let start, let end, (end.year, end.month) < (start.year, start.month) {
      check.refuse("\(path).endDate", "order", "Not before the start.")
    }
    return .init(
      employmentStatus: status,
      employerName: check.text(
        given.employerName, "\(path).employerName", max: InputCheck.nameMax, isRequired: isWorking),
      industry: check.code(
        given.industry, "\(path).industry", of: ReferenceType.industry, in: catalogue, isRequired: isWorking),
      occupation: check.code(
        given.occupation, "\(path).occupation", of: ReferenceType.occupation, in: catalogue, isRequired: false),
      startDate: start?.description, endDate: end?.description,
      workAddress: check.required(given.workAddress, "\(path).workAddress", isWorking).map {
        check.address($0, "\(path).workAddress", types: ["WORK"])
      },
      phoneNumber: check.phone(given.phoneNumber, "\(path).phoneNumber", isRequired: isWorking))
  }
}
