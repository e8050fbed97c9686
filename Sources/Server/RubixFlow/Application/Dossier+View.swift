// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import RubixWire
import Scheduling

extension Dossier {
  /// What the customer sees of the application (rubix-onboarding §6.3); contacts are masked.
  var view: OnboardingView {
    let applicant = application.applicant
    let verified = applicant.verified
    return OnboardingView(
      id: application.id.rawValue, status: application.status, lastStep: application.lastStep,
      completedSteps: application.completedSteps, nextSteps: nextSteps,
      customer: CustomerView(
        firstName: verified?.givenNames ?? applicant.firstName,
        middleName: verified == nil ? applicant.middleName : nil,
        lastName: verified?.familyName ?? applicant.lastName,
        contactNo: PhoneNumber(applicant.contactNo)?.masked ?? "•••",
        email: applicant.email.map { EmailAddress($0)?.masked ?? "•••" },
        dateOfBirth: verified?.dateOfBirth ?? applicant.dateOfBirth,
        nationalityCode: verified?.nationality ?? applicant.nationalityCode,
        gender: applicant.gender.map(Gender.init(rawValue:))),
      flags: OnboardingFlags(
        isContactNoVerified: application.sms == .confirmed, isEmailVerified: application.email == .confirmed,
        isEvaluationVerified: application.evaluation.map { $0 == .matched },
        isAMLVerified: application.completedSteps.contains(.amlScreeningSuccessful)),
      session: session.map {
        SessionSummary(id: $0.id.rawValue, status: .active, selfies: selfies, selfieLooks: looks?.wire)
      },
      documents: documents.map {
        DocumentSummary(id: $0.id.rawValue, type: $0.type, status: DocumentStatus(rawValue: $0.state.rawValue))
      },
      appointment: appointment?.view(joinWindow: Self.joinWindow),
      createdOn: application.createdAt.wire, updatedOn: application.updatedAt.wire,
      expiresOn: application.expiresAt.wire)
  }

  /// A call can be joined this long before it begins.
  static let joinWindow = Duration.minutes(5)
}

extension Appointment {
  /// - Parameters:
  ///   - joinURL: where to join, for the side that may join now.
  ///   - isRecorded: nil where this server does not know it.
  func view(joinWindow: Duration, joinURL: String? = nil, isRecorded: Bool? = nil) -> AppointmentView {
    AppointmentView(
      id: id.rawValue, callTime: callTime.wire, durationMinutes: Int(AppointmentPolicy.grid.components.seconds / 60),
      reason: AppointmentReason(rawValue: reason.rawValue), status: AppointmentStatus(rawValue: status.rawValue),
      joinURLAvailableFrom: (callTime - joinWindow).wire, joinURL: joinURL, isRecorded: isRecorded)
  }
}
