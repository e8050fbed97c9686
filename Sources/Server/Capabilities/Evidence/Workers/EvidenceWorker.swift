// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore
import Foundation

/// The child process that decodes and reads pictures for a server, one after the other.
package enum EvidenceWorker {
  /// Of the address space: libraries, models of Tesseract, and one picture of the largest size with its copies.
  static let memoryMax: UInt64 = 2 << 30
  static let filesMax: UInt64 = 64
  /// Of the processor, for one picture.
  static let processorSeconds: UInt64 = 60

  /// Serves the parent on standard input and output until it closes them.
  ///
  /// The first message is the reader's settings. No picture is read before the process has given up what it does not
  /// need.
  package static func run() throws {
    let channel = WorkerChannel(input: 0, output: 1, isServer: false)
    let reader = EvidenceReader(settings: try channel.receive(EvidenceSettings.self))
    try confine(readable: reader.settings.folders)
    while true {
      let request: EvidenceRequest
      do { request = try channel.receive(EvidenceRequest.self) } catch is WorkerChannel.Closed { return }
      try limitProcessor(seconds: processorSeconds)
      try reader.answer(request, on: channel)
      // Engines leave free pieces between those that they keep: after reading text 46 MiB of 93 (decision 242).
      cvision_return_memory()
      // The next picture finds what it needs in the system's cache.
      ProgramCode.release()
    }
  }

  /// Ends this process by a signal when it has used so many seconds of the processor from now on, and less than one
  /// more.
  /// - Throws: `CVisionFailure`.
  package static func limitProcessor(seconds: UInt64) throws {
    guard cvision_allow_processor(seconds) != 0 else { throw CVisionFailure(reason: "no limit of time") }
  }

  /// Gives up what a worker does not need, for good.
  /// - Parameter readable: folders whose files can be read afterwards, beside those of the system.
  package static func confine(readable: [String]) throws {
    var folders: [UnsafePointer<CChar>?] = readable.map { UnsafePointer(strdup($0)) } + [nil]
    defer { folders.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
    guard cvision_confine(memoryMax, filesMax, &folders) != 0 else {
      throw CVisionFailure(reason: "the worker is not confined")
    }
  }
}

extension EvidenceReader {
  fileprivate func answer(_ request: EvidenceRequest, on channel: WorkerChannel) throws {
    let bytes = request.bytes
    switch request.task {
    case .inspectDocument: try channel.send(EvidenceReply { try inspectDocumentNow(bytes) })
    case .inspectPhoto(let limits): try channel.send(EvidenceReply { try inspectPhotoNow(bytes, limits: limits) })
    case .inspectFace: try channel.send(EvidenceReply { try inspectFaceNow(bytes) })
    case .read(let expected, let day):
      try channel.send(
        EvidenceReply {
          guard let day = CalendarDate(day) else { throw CVisionFailure(reason: "not a day") }
          return try readNow(bytes, as: expected, on: day)
        })
    case .readIdentifiers(let limits):
      try channel.send(EvidenceReply { try readIdentifiersNow(bytes, limits: limits) })
    case .readSecureScreen(let limits):
      try channel.send(EvidenceReply { ReadCode(digits: try readSecureScreenNow(bytes, limits: limits)) })
    }
  }
}
