internal import WultraWire

/// The documents that the user chose, in the order of choice.
public final class WDOVerificationScanProcess: Sendable {
  public let documents: [WDOScannedDocument]

  /// - Parameter states: what the server has; other documents than the chosen ones are passed over.
  init(_ types: [WDODocumentType], states: [Wultra.DocumentState] = []) {
    documents = types.map { type in
      WDOScannedDocument(
        type: type,
        sides: states.compactMap { state in
          guard WDODocumentType(state.type) == type, let side = WDODocumentSide(state.side) else { return nil }
          let isRefused = state.errors?.isEmpty == false
          return WDOScannedDocument.Side(
            type: side, serverId: state.id, uploadState: isRefused ? .rejected : .accepted)
        })
    }
  }

  /// The first one that has to be scanned, or scanned again; nil when it is absent.
  public var nextDocumentToScan: WDOScannedDocument? { documents.first { $0.uploadState != .accepted } }
}
