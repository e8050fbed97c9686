// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import WultraPowerAuthNetworking

/// A short text that outlives the app, beside what the PowerAuth instance keeps.
struct StoredText: Sendable {
  /// Nil when the instance's configuration is invalid, and every call of it fails.
  private let store: (any DirectSecureStore)?
  private let name: String

  init(_ name: String, of powerAuth: PowerAuthSDK) {
    store = powerAuth.platform?.store
    self.name = name
  }

  /// - Returns: nil when it is absent.
  func read() throws(WPNError) -> String? {
    do throws(SecureStoreError) {
      return try store?.read(name).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw WPNError(reason: .unknown, error: error)
    }
  }

  func write(_ text: String) throws(WPNError) {
    do throws(SecureStoreError) { try store?.write(Data(text.utf8), as: name) } catch {
      throw WPNError(reason: .unknown, error: error)
    }
  }

  func forget() throws(WPNError) {
    do throws(SecureStoreError) { try store?.remove(name) } catch {
      throw WPNError(reason: .unknown, error: error)
    }
  }
}
