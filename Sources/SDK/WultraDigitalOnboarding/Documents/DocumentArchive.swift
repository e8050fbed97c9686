// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseWire
internal import WultraPowerAuthNetworking
internal import WultraWire

/// Pictures as they are sent: in one ZIP archive, in a folder with a name that cannot be guessed (wultra-onboarding.md
/// §4, as apps on Apple's systems do it).
enum DocumentArchive {
  /// - Throws: `network_invalidRequestObject` without pictures, or with two of the same side.
  static func submission(
    of pictures: [DocumentPicture], process: String, folder: UUID
  ) throws(WPNError) -> Wultra.DocumentSubmission {
    guard !pictures.isEmpty else { throw refused("There is no picture.") }
    guard Set(pictures.map(\.fileName)).count == pictures.count else {
      throw refused("There are two pictures of the same side of the same document.")
    }
    var records = ZipRecords()
    var archive = Data()
    do throws(ZipRecords.TooLarge) {
      for picture in pictures {
        archive += try records.header(
          of: path(picture, folder), size: picture.data.count, crc: CRC32.of(picture.data))
        archive += picture.data
      }
      archive += try records.directory()
    } catch {
      throw refused("The pictures are more than an archive can hold.")
    }
    return Wultra.DocumentSubmission(
      processId: process, data: archive, resubmit: pictures.contains { $0.originalDocumentId != nil },
      documents: pictures.map { picture in
        Wultra.DocumentFile(
          filename: path(picture, folder), type: picture.type.wire, side: picture.side.wire,
          originalDocumentId: picture.originalDocumentId)
      })
  }

  private static func path(_ picture: DocumentPicture, _ folder: UUID) -> String {
    "\(folder.uuidString)/\(picture.fileName)"
  }

  private static func refused(_ reason: String) -> WPNError {
    WPNError(reason: .network_invalidRequestObject, error: WDOError(reason))
  }
}
