// SPDX-License-Identifier: Apache-2.0

#if !canImport(UIKit)
  package import Foundation
  package import GatehouseTransport

  extension ActivationPorts {
    static func ofThisDevice() -> ActivationPorts {
      let pictures = FileManager.default.urls(for: .picturesDirectory, in: .userDomainMask).first
      let folder = (pictures ?? FileManager.default.temporaryDirectory).appendingPathComponent("Screenshots")
      return .folder(folder, store: ApplicationStore())
    }

    /// A device whose screenshots are files in a folder, where the desktop puts them. What identifies the phone is shown
    /// by the phone; its picture is put there by the developer who tries this out.
    package static func folder(
      _ folder: URL, store: any SecureStore, transport: @escaping @Sendable (Bool) -> HTTPTransport = network,
      clock: ClientClock = .live, log: ActivationLog = .standardError
    ) -> ActivationPorts {
      var ports = ActivationPorts(
        transport: transport, store: store,
        photos: PhotoPermission { FileManager.default.isReadableFile(atPath: folder.path) ? .full : .denied },
        sheet: IdentifierSheet { true }, screenshots: .folder(folder, clock: clock),
        device: DeviceInfo(model: "Linux", system: ProcessInfo.processInfo.operatingSystemVersionString), log: log)
      ports.clock = clock
      return ports
    }
  }

  /// Opened when it is used: creating an `OAActivation` touches nothing.
  private struct ApplicationStore: SecureStore {
    private var opened: any SecureStore {
      #if canImport(Security)
        KeychainStore(service: "OneAssistSDK")
      #else
        SealedFileStore.ofApplication("OneAssistSDK", instance: "activation")
      #endif
    }

    func read(_ name: String) async throws(SecureStoreError) -> Data? { try await opened.read(name) }
    func write(_ secret: Data, as name: String) async throws(SecureStoreError) {
      try await opened.write(secret, as: name)
    }
    func remove(_ name: String) async throws(SecureStoreError) { try await opened.remove(name) }
  }

  extension ScreenshotWatcher {
    /// How often the folder is looked at, and for how long.
    private static let (pause, looksMax) = (Duration.milliseconds(250), 480)

    /// Files that appear in a folder.
    package static func folder(_ folder: URL, clock: ClientClock) -> ScreenshotWatcher {
      ScreenshotWatcher {
        let before = names(in: folder)
        return AsyncStream { stream in
          let task = Task {
            for _ in 0..<looksMax {
              guard (try? await clock.pause(for: pause)) != nil else { break }
              for name in names(in: folder).subtracting(before).sorted() {
                let file = folder.appendingPathComponent(name)
                // By its file's dates it may be older: it was not there when the watch began.
                stream.yield(.taken(Screenshot(takenAt: clock.wallTime()) { try? Data(contentsOf: file) }))
              }
            }
            stream.finish()
          }
          stream.onTermination = { _ in task.cancel() }
        }
      }
    }

    private static func names(in folder: URL) -> Set<String> {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return Set(names.filter { name in ["png", "jpg", "jpeg"].contains { name.lowercased().hasSuffix(".\($0)") } })
    }
  }

  extension ActivationLog {
    /// One line each on standard error.
    package static let standardError = ActivationLog { line in
      try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
  }
#endif
