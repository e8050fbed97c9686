// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import RubixWire
import Storage

/// One onboarding application: the row as a value. The customer id of the tokens is its id.
package struct Application: Sendable, Equatable {
  package typealias ID = Identifier<Application>

  package let id: ID
  package let tenant: String
  package internal(set) var phase: ApplicationPhase
  /// The step that reached an outcome most recently.
  package internal(set) var lastStep: OnboardingStep
  /// Steps in force, in the order in which they were reached.
  package internal(set) var completedSteps: [OnboardingStep]
  package internal(set) var sms: ContactState
  package internal(set) var email: ContactState
  /// Nil until the documents were compared.
  package var evaluation: Evaluation?
  package internal(set) var verificationAttempts: Int
  package internal(set) var undeterminedCount: Int
  /// A check could not decide without a person, so the call is not optional.
  package internal(set) var callRequired: Bool
  /// An agent has already accepted this person in a call.
  package internal(set) var agentAccepted: Bool
  package internal(set) var screenedAt: Instant?
  package internal(set) var reviewReason: ReviewReason?
  /// What a mismatch asked to be taken again.
  package internal(set) var retake: [DocumentType]
  package var applicant: Applicant
  package let createdAt: Instant
  package internal(set) var updatedAt: Instant
  /// When it lapses unless the customer comes back.
  package internal(set) var expiresAt: Instant
  /// Grows with every change; what was decided on an older version is not written.
  package internal(set) var version: Int

  package enum Evaluation: String, Sendable, SQLConvertible { case matched, mismatched }

  package init(
    id: ID, tenant: String, phase: ApplicationPhase, lastStep: OnboardingStep = .registrationInitiated,
    completedSteps: [OnboardingStep] = [.registrationInitiated], sms: ContactState = .unconfirmed,
    email: ContactState = .unconfirmed, evaluation: Evaluation? = nil, verificationAttempts: Int = 0,
    undeterminedCount: Int = 0, callRequired: Bool = false, agentAccepted: Bool = false, screenedAt: Instant? = nil,
    reviewReason: ReviewReason? = nil, retake: [DocumentType] = [], applicant: Applicant, createdAt: Instant,
    updatedAt: Instant, expiresAt: Instant, version: Int = 1
  ) {
    (self.id, self.tenant, self.phase) = (id, tenant, phase)
    (self.lastStep, self.completedSteps) = (lastStep, completedSteps)
    (self.sms, self.email) = (sms, email)
    (self.evaluation, self.verificationAttempts) = (evaluation, verificationAttempts)
    (self.undeterminedCount, self.callRequired) = (undeterminedCount, callRequired)
    (self.agentAccepted, self.screenedAt) = (agentAccepted, screenedAt)
    (self.reviewReason, self.retake, self.applicant) = (reviewReason, retake, applicant)
    (self.createdAt, self.updatedAt, self.expiresAt) = (createdAt, updatedAt, expiresAt)
    self.version = version
  }

  package var status: OnboardingStatus { phase.status }

  /// Marks a step as reached, now the latest.
  package mutating func record(_ step: OnboardingStep) {
    lastStep = step
    completedSteps.removeAll { $0 == step }
    completedSteps.append(step)
  }

  mutating func drop(_ steps: OnboardingStep...) { completedSteps.removeAll { steps.contains($0) } }

  /// Forgets everything that the archived session showed.
  mutating func beginCaptureAnew() {
    completedSteps.removeAll { step in
      [.selfieUploaded, .livenessUploaded, .documentsMatched, .documentsMismatched].contains(step)
        || DocumentKind.allCases.contains { $0.uploadedStep == step || $0.processedStep == step }
    }
    evaluation = nil
    (retake, applicant.retakeWords) = ([], nil)
  }

  /// Something that the verification was about has changed: its result no longer holds.
  mutating func reconsider() {
    evaluation = nil
    drop(.documentsMatched, .documentsMismatched)
  }

  /// What was asked for again has come, and can be judged.
  mutating func retaken(_ type: DocumentType) {
    reconsider()
    retake.removeAll { $0 == type }
  }

  func contact(_ channel: OTPChannel) -> ContactState { channel == .sms ? sms : email }
}

/// The person who applies, as registered and as their documents say. Sealed at rest.
package struct Applicant: Sendable, Codable, Equatable {
  package var deviceID: String
  package var platform: String
  package var contactNo: String
  /// Nil while none was given.
  package var email: String?
  package var firstName: String?
  package var middleName: String?
  package var lastName: String?
  package var dateOfBirth: WireDate?
  package var gender: String?
  package var nationalityCode: String?
  package var appVersion: String?
  package var osVersion: String?
  package var deviceModel: String?
  package var locale: String?
  package var consents: [ConsentGrant]
  /// What the matched documents say; nil before.
  package var verified: Verified?
  /// The message to the customer of the agent who asked for other pictures; nil once these are judged.
  package internal(set) var retakeWords: String?

  package init(
    deviceID: String, platform: String, contactNo: String, email: String? = nil, firstName: String? = nil,
    middleName: String? = nil, lastName: String? = nil, dateOfBirth: WireDate? = nil, gender: String? = nil,
    nationalityCode: String? = nil, appVersion: String? = nil, osVersion: String? = nil, deviceModel: String? = nil,
    locale: String? = nil, consents: [ConsentGrant], verified: Verified? = nil
  ) {
    (self.deviceID, self.platform, self.contactNo, self.email) = (deviceID, platform, contactNo, email)
    (self.firstName, self.middleName, self.lastName) = (firstName, middleName, lastName)
    (self.dateOfBirth, self.gender, self.nationalityCode) = (dateOfBirth, gender, nationalityCode)
    (self.appVersion, self.osVersion, self.deviceModel) = (appVersion, osVersion, deviceModel)
    (self.locale, self.consents, self.verified) = (locale, consents, verified)
  }

  package struct Verified: Sendable, Codable, Equatable {
    package var familyName: String
    package var givenNames: String
    package var namesMayBeTruncated: Bool
    package var dateOfBirth: WireDate
    package var nationality: String?
    package var documents: [Document]

    package init(
      familyName: String, givenNames: String, namesMayBeTruncated: Bool, dateOfBirth: WireDate, nationality: String?,
      documents: [Document]
    ) {
      (self.familyName, self.givenNames) = (familyName, givenNames)
      (self.namesMayBeTruncated, self.dateOfBirth) = (namesMayBeTruncated, dateOfBirth)
      (self.nationality, self.documents) = (nationality, documents)
    }

    package struct Document: Sendable, Codable, Equatable {
      package var id: String
      package var type: DocumentType
      package var number: String?
      package var issuingState: String?
      package var expiryDate: WireDate?

      package init(id: String, type: DocumentType, number: String?, issuingState: String?, expiryDate: WireDate?) {
        (self.id, self.type, self.number) = (id, type, number)
        (self.issuingState, self.expiryDate) = (issuingState, expiryDate)
      }
    }
  }
}

extension ApplicationPhase {
  /// As the wire names it.
  var status: OnboardingStatus {
    switch self {
    case .completed: .completed
    case .rejected: .rejected
    case .abandoned: .abandoned
    case .expired: .expired
    default: isInReview ? .inReview : .pending
    }
  }
}

extension ReviewReason: SQLConvertible {}
extension OnboardingStep: SQLConvertible {}
