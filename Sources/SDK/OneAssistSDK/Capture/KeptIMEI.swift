// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import OneAssistCore

/// This device's numbers, as they are kept for one activation (specification §5.5).
struct KeptIMEI: Codable, Sendable, Equatable {
  let imei: String
  let imei2: String?
  /// Seconds since 1970, by the device's clock.
  let capturedAt: Double
  /// Whether letters had to be taken for digits.
  let ocrRepaired: Bool
  /// For which activation they were captured.
  let activationCode: String

  init(_ reading: IMEIReading, of activationCode: String, at time: Double) {
    (imei, imei2) = (reading.primary.digits, reading.secondary?.digits)
    (capturedAt, ocrRepaired) = (time, reading.isRepaired)
    self.activationCode = activationCode
  }
}

/// The device's store of numbers, by activation and installation: another installation reads its number anew.
struct IMEIRecords: Sendable {
  private let store: any SecureStore
  private let installation: String
  /// Whether numbers for tests are numbers (§5.2).
  private let allowsTest: Bool

  init(_ ports: ActivationPorts, allowsTest: Bool) {
    (store, installation, self.allowsTest) = (ports.store, ports.installation(), allowsTest)
  }

  /// - Returns: nil when no number is kept, when the kept one does not count here, and when what is kept is damaged: the
  ///   number can be read once more.
  /// - Throws: 4006 when the store refuses.
  func read(of code: String) async throws(OAError) -> KeptIMEI? {
    do throws(SecureStoreError) {
      guard let content = try await store.read(name(of: code)),
        let kept = try? JSONDecoder().decode(KeptIMEI.self, from: content), let imei = IMEI(kept.imei),
        allowsTest || !imei.isTest
      else { return nil }
      return kept
    } catch {
      guard error.code == .tampered else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
      return nil
    }
  }

  /// - Throws: 4006 when the store refuses.
  func keep(_ imei: KeptIMEI) async throws(OAError) {
    guard let content = try? JSONEncoder().encode(imei) else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
    let name = name(of: imei.activationCode)
    do throws(SecureStoreError) {
      do throws(SecureStoreError) { try await store.write(content, as: name) } catch {
        guard error.code == .tampered else { throw error }
        // Damaged data cannot be recovered, so it is replaced.
        try await store.remove(name)
        try await store.write(content, as: name)
      }
    } catch {
      throw .ERROR_UNABLE_TO_PROCESS_DESC
    }
  }

  private func name(of code: String) -> String { "imei \(installation) \(code)" }
}
