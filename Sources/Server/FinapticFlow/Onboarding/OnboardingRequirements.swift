// SPDX-License-Identifier: Apache-2.0

import Kit

/// What an application still lacks for a call (finaptic §5.3, §5.4).
struct OnboardingRequirements {
  let application: OnboardingApplication
  let bundle: ProductBundle
  /// URL of each text of the tenant, by code of CONSENT_TYPE or DISCLOSURE_TYPE.
  let terms: [String: String]

  /// The checks that the applicant has to pass.
  var verifications: [ProductBundle.Verification] {
    bundle.verifications.filter { $0.name != .kyc || application.needsKYC }
  }

  /// For documents and selfie: the texts, and who it is and where they live.
  func requirePerson() throws {
    var missing = missingTerms(beforeValidation: true)
    missing += [UpdateKind.personalDetails, .addresses].filter { !application.has($0) }.map(Self.lack)
    guard missing.isEmpty else { throw Self.refusal(missing) }
  }

  /// For the validation of the whole: everything that the check of identity needs, documents and a selfie.
  /// - Parameters:
  ///   - hasDocuments: sent before, or with this call.
  ///   - hasSelfie: the same.
  func requireForValidation(hasDocuments: Bool, hasSelfie: Bool) throws {
    var missing = missingTerms(beforeValidation: true)
    missing += lackingUpdates(of: verifications.filter { $0.name == .kyc })
    if !hasDocuments { missing.append(.init("/documentDetails", "missing", "Documents have not been sent.")) }
    if !hasSelfie { missing.append(.init("/selfieFileName", "missing", "A selfie has not been sent.")) }
    guard missing.isEmpty else { throw Self.refusal(missing) }
  }

  /// For accepting: everything.
  func requireForAcceptance() throws {
    let missing = missingTerms(beforeValidation: false) + lackingUpdates(of: verifications)
    guard missing.isEmpty else { throw Self.refusal(missing) }
  }

  /// A text is accepted by a consent of the same type with the same URL.
  private func missingTerms(beforeValidation: Bool) -> [Problem.Field] {
    let needed = { (term: ProductBundle.Term) in !beforeValidation || term.isNeededBeforeValidation }
    let consents = bundle.consents.filter(needed).filter { term in
      !application.content.consents.contains {
        $0.consentType == term.type && $0.documentNameAndVersion == terms[term.type]
      }
    }
    let disclosures = bundle.disclosures.filter(needed).filter { term in
      !application.content.disclosures.contains {
        $0.disclosureType == term.type && $0.documentNameAndVersion == terms[term.type]
      }
    }
    return consents.map {
      .init("/consents", "missing", "\($0.type) has not been accepted in the version that is shown.")
    }
      + disclosures.map {
        .init("/disclosures", "missing", "\($0.type) has not been seen in the version that is shown.")
      }
  }

  /// Consents and disclosures are asked for one by one.
  private func lackingUpdates(of verifications: [ProductBundle.Verification]) -> [Problem.Field] {
    let needed = verifications.flatMap(\.requiredUpdates)
      .filter { $0 != .consents && $0 != .disclosures && !application.has($0) }
    return UpdateKind.allCases.filter(needed.contains).map(Self.lack)
  }

  private static func lack(_ update: UpdateKind) -> Problem.Field {
    .init("/\(update.rawValue)", "missing", "\(update.rawValue) has not been made.")
  }

  private static func refusal(_ missing: [Problem.Field]) -> Problem {
    .finaptic(.failedPrecondition, "The application is not complete enough for this call.", fields: missing)
  }
}
