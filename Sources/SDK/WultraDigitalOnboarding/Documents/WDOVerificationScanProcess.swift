// SPDX-License-Identifier: Apache-2.0

internal import WultraWire

/// The documents that the user chose, in the order of choice.
public final class WDOVerificationScanProcess: Sendable {
  public let documents: [WDOScannedDocument]

  init(documents: [WDOScannedDocument]) { self.documents = documents }

  /// - Parameter states: what the server has; other documents than the chosen ones are passed over.
  convenience init(_ types: [WDODocumentType], states: [Wultra.DocumentState] = []) {
    self.init(
      documents: types.map { type in
        WDOScannedDocument(
          type: type,
          sides: states.compactMap { state in
            guard WDODocumentType(state.type) == type, let side = WDODocumentSide(state.side) else { return nil }
            let isRefused = state.errors?.isEmpty == false
            return WDOScannedDocument.Side(
              type: side, serverId: state.id, uploadState: isRefused ? .rejected : .accepted,
              words: state.errors?.first { $0 != Wultra.hiddenError })
          })
      })
  }

  /// The first one that has to be scanned, or scanned again; nil when it is absent.
  public var nextDocumentToScan: WDOScannedDocument? { documents.first { $0.uploadState != .accepted } }
}

extension WDOVerificationScanProcess {
  /// For screens that are shown where no server is.
  /// - Parameters:
  ///   - refused: the documents of which the server has a picture that it did not take.
  ///   - words: of a person who asks for another one.
  package convenience init(specimen types: [WDODocumentType], refused: [WDODocumentType] = [], words: String? = nil) {
    self.init(
      documents: types.map { type in
        let side = WDOScannedDocument.Side(type: .front, serverId: "1", uploadState: .rejected, words: words)
        return WDOScannedDocument(type: type, sides: refused.contains(type) ? [side] : [])
      })
  }
}
