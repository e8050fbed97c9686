// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import NIOCore
import ServiceLifecycle

/// A server whose port cannot be had ends with the name of the setting, instead of with the system's call.
struct ListeningServer: Service {
  let server: any Service
  let host: String
  let port: Int
  /// The setting that names the port.
  let setting: String

  func run() async throws {
    do { try await server.run() } catch let error as IOError {
      guard let words = Self.words(error.errnoCode, host: host, port: port, setting: setting) else { throw error }
      throw SettingsError(words)
    }
  }

  /// - Parameter code: `errno` of bind(2).
  /// - Returns: nil for what is no matter of settings.
  static func words(_ code: CInt, host: String, port: Int, setting: String) -> String? {
    switch code {
    case EADDRINUSE:
      "port \(port) of \(host) is taken by another program: end it, or choose another one with \(setting)"
    case EACCES: "port \(port) of \(host) is not for this user: choose one from 1024 on with \(setting)"
    case EADDRNOTAVAIL: "\(host) is no address of this machine: port \(port) cannot be opened there"
    default: nil
    }
  }
}
