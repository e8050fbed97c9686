import Foundation
import Kit

extension UserExporter: SubjectExporter {
  package func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    try add("user.json", ExportText.json(try await export(subject.id, ofBank: subject.tenant, by: subject.actor)))
  }
}

extension UserErasure: SubjectEraser {
  package func erase(
    _ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool
  ) async throws -> [String] {
    let erased = try await forget(subject.id, ofBank: subject.tenant, for: reason, by: subject.actor)
    guard let erased else { throw Problem.notFound }
    return ["Erased: \(erased.connections) devices, \(erased.operations) authorizations."]
  }

  package func proofName(of subject: DataSubject) -> String { subject.proofName(in: SaltEdgeModule.name) }
}
