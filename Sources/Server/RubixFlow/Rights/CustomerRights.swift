// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension CustomerExporter: SubjectExporter {
  package func export(
    _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    let (customer, restricted) = try await export(
      .init(rawValue: subject.id), of: tenants.find(subject.tenant), by: subject.actor)
    try await write(customer, includingRestricted ? restricted : nil, add)
  }

  /// Adds the files of an export, `customer.json` after the pictures that it lists.
  package func write(
    _ customer: CustomerExport, _ restricted: RestrictedExport?, _ add: (_ path: String, _ bytes: Data) throws -> Void
  ) async throws {
    var customer = customer
    for index in customer.images.indices {
      for (file, bytes) in try await pictures(of: customer.images[index]) {
        try add(file.path, bytes)
        customer.images[index].files.append(file)
      }
    }
    try add("customer.json", Self.json(customer))
    if let restricted { try add("restricted.json", Self.json(restricted)) }
  }
}

extension CustomerErasure: SubjectEraser {
  package func erase(
    _ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool
  ) async throws -> [String] {
    let outcome = try await erase(
      .init(rawValue: subject.id), of: tenants.find(subject.tenant), for: reason, by: subject.actor,
      despiteDuty: despiteDuty)
    switch outcome {
    case .erased(let images, let related):
      return ["Erased. \(images.counted("image is", "images are")) deleted by the worker."]
        + related.map { "Another application has the same phone number: \($0)" }
    case .erasedBefore(let instant): return ["Was erased at \(instant.rfc3339)."]
    }
  }

  package func requireNoDuty(_ subject: DataSubject, in tx: any SQLTransaction) throws {
    let (store, id) = (ApplicationStore(tx, vault: core.vault), Application.ID(rawValue: subject.id))
    try requireNoDuty(id, in: store.toErase(id, tenant: subject.tenant).phase, in: tx)
  }

  package func tenants(in scope: TenantScope, in tx: any SQLTransaction) -> [String] {
    tenants.all.map(\.id).filter(scope.contains)
  }

  package func person(_ name: String, of tenant: String, in tx: any SQLTransaction) throws -> NamedPerson? {
    let id = Application.ID(rawValue: name.lowercased())
    do { _ = try ApplicationStore(tx, vault: core.vault).toErase(id, tenant: tenant) } catch let problem as Problem
      where problem == .notFound
    { return nil }
    return NamedPerson(id.rawValue, id: id.rawValue)
  }
}
