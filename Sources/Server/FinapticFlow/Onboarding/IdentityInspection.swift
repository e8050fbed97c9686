// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import FinapticWire
import Foundation
import Kit
import ReferenceData
import Screening

/// Looks at the pictures of an application, and for its applicant in the lists: what a validation is worth outside a
/// sandbox. In the order of finaptic §5.5; what comes after a failure is not looked at.
struct IdentityInspection: Sendable {
  /// How long the lists may take.
  private static let screeningLimit = Duration.seconds(30)

  let reader: IdentityReader
  let screening: ScreeningProvider
  let files: FileCommands

  /// - Parameter evidence: with what this call sends, not looked at yet.
  /// - Throws: `IdentityReader.Unavailable` when nothing can be decided now; `Problem` failed precondition when
  ///   pictures that are needed are gone.
  func verdict(_ matter: ValidationCase, _ evidence: IdentityEvidence) async throws -> ValidationVerdict {
    var evidence = evidence
    let judge = IdentityEvaluator(personal: matter.application.content.personal ?? .init(), today: matter.today)
    var portraits: [Data] = []
    if !matter.call.documents.isEmpty { portraits = try await read(&evidence, matter) }
    if matter.call.selfie != nil { try await look(&evidence, matter) }

    switch matter.call {
    case .documents:
      let codes = evidence.documents.map(judge.documents) ?? [.idVerification]
      guard codes.isEmpty, let selfie = evidence.selfie, judge.selfie(selfie).isEmpty else {
        return ValidationVerdict(codes, evidence)
      }
      return ValidationVerdict(try await compared(&evidence, portraits, matter, judge), evidence)
    case .selfie:
      let codes = evidence.selfie.map(judge.selfie) ?? [.selfieValidation]
      guard codes.isEmpty, let documents = evidence.documents, judge.documents(documents).isEmpty else {
        return ValidationVerdict(codes, evidence)
      }
      return ValidationVerdict(try await compared(&evidence, portraits, matter, judge), evidence)
    case .application:
      guard let documents = evidence.documents, let selfie = evidence.selfie else { throw Self.gone }
      for codes in [judge.documents(documents), judge.selfie(selfie)] where !codes.isEmpty {
        return ValidationVerdict(codes, evidence)
      }
      if evidence.faces == nil { _ = try await compared(&evidence, portraits, matter, judge) }
      guard evidence.faces != nil else { throw Self.gone }
      let codes = judge.faces(evidence.faces)
      guard codes.isEmpty else { return ValidationVerdict(codes, evidence) }
      return try await screened(matter, evidence)
    }
  }

  // MARK: Pictures

  /// Reads every side; the portraits of the fronts come back.
  private func read(_ evidence: inout IdentityEvidence, _ matter: ValidationCase) async throws -> [Data] {
    guard let submitted = evidence.documents?.submitted else { return [] }
    var (sides, portraits): ([IdentityEvidence.Side], [Data]) = ([], [])
    for (index, info) in submitted.enumerated() {
      guard let accepted = AcceptedDocument.named(info.documentType) else { continue }
      let pictures: [(name: String?, kind: Evidence.DocumentKind?)] = [
        (info.frontImageFileName, accepted.front), (info.backImageFileName, accepted.back),
      ]
      for (place, picture) in pictures.enumerated() {
        guard let name = picture.name, let kind = picture.kind else { continue }
        let read = try await reader.read(try await self.picture(name, matter), kind, matter.today)
        if place == 0, let portrait = read.portrait { portraits.append(portrait) }
        sides.append(
          .init(
            document: index, isFront: place == 0, kind: kind, reading: read.reading,
            hasPortrait: read.portrait != nil))
      }
    }
    evidence.documents?.sides = sides
    return portraits
  }

  private func look(_ evidence: inout IdentityEvidence, _ matter: ValidationCase) async throws {
    guard let name = evidence.selfie?.fileName else { return }
    evidence.selfie?.liveness = try await reader.liveness(try await picture(name, matter))
  }

  /// The selfie beside the portrait of every document. What cannot be compared because a picture is gone is left for
  /// the validation of the whole, which asks for it again.
  private func compared(
    _ evidence: inout IdentityEvidence, _ known: [Data], _ matter: ValidationCase, _ judge: IdentityEvaluator
  ) async throws -> [FailureCode] {
    guard let selfieName = evidence.selfie?.fileName, matter.files[selfieName] != nil else { return [] }
    let selfie = try await picture(selfieName, matter)
    var portraits = known
    if portraits.isEmpty {
      let fronts = (evidence.documents?.submitted ?? []).map { ($0.frontImageFileName, $0.documentType) }
      for (name, type) in fronts {
        guard let name, matter.files[name] != nil, let accepted = AcceptedDocument.named(type) else { return [] }
        let read = try await reader.read(try await picture(name, matter), accepted.front, matter.today)
        guard let portrait = read.portrait else { return [.idVerification] }
        portraits.append(portrait)
      }
    }
    guard !portraits.isEmpty else { return [.idVerification] }
    for portrait in portraits {
      let result = try await reader.compare(selfie, portrait)
      evidence.faces = result
      let codes = judge.faces(result)
      if !codes.isEmpty { return codes }
    }
    return []
  }

  private func picture(_ name: String, _ matter: ValidationCase) async throws -> Data {
    guard let file = matter.files[name], let bytes = try await files.picture(file) else { throw Self.gone }
    return bytes
  }

  // MARK: Lists

  private func screened(_ matter: ValidationCase, _ evidence: IdentityEvidence) async throws -> ValidationVerdict {
    guard !matter.isRefused else { return ValidationVerdict([.unspecified], evidence) }
    let subject = Self.subject(matter.application.content, evidence)
    let outcome: Screening.Outcome
    do {
      outcome = try await Deadline.run(Self.screeningLimit) { await screening.screen(subject) }
    } catch is Deadline.Exceeded { throw IdentityReader.Unavailable() }
    guard case .screened(let report) = outcome else { throw IdentityReader.Unavailable() }
    var verdict = ValidationVerdict(report.hits.isEmpty ? [] : [.unspecified], evidence)
    verdict.screening = (subject, outcome)
    return verdict
  }

  private static func subject(
    _ content: OnboardingApplication.Content, _ evidence: IdentityEvidence
  ) -> Screening.Subject {
    let personal = content.personal
    let name = [personal?.firstName, personal?.middleName, personal?.lastName].compactMap(\.self).joined(separator: " ")
    let readings = (evidence.documents?.sides ?? []).compactMap(\.reading)
    let citizenship = content.residency?.citizenship
    return Screening.Subject(
      names: [name], dateOfBirth: personal?.dateOfBirth.flatMap { CalendarDate($0) }.map { BirthDate($0) },
      nationalities: [citizenship.map { Country.with(alpha2: $0)?.alpha3 ?? $0 }].compactMap(\.self),
      documentNumbers: readings.compactMap { $0.mrz?.fields?.documentNumber ?? $0.barcode?.licence.number })
  }

  /// Pictures go within a day.
  private static let gone = Problem.finaptic(
    .failedPrecondition, "The pictures are kept for a day only. Send documents and selfie again.")
}
