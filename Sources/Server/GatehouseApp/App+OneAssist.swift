import Console
import Delivery
import Evidence
import Kit
import OneAssistFlow
import Storage

extension OneAssistService {
  /// OneAssist, put together.
  init(
    _ settings: Settings, database: any SQLDatabase, world: World, vault: Vault, blobs: Blobs, evidence: EvidenceReader,
    messenger: Messenger, devOutbox: DevOutbox, webhooks: Webhooks, moves: FlowMoves
  ) throws {
    let own = settings.oneAssist
    self.init(
      core: CoreDependencies(database: database, world: world, vault: vault, blobs: blobs, moves: moves),
      policy: own.policy(port: settings.port, isSandbox: settings.isSandbox), messenger: messenger,
      devOutbox: devOutbox, photos: .evidence(evidence), recogniseText: PictureReading.text(evidence),
      readCode: .evidence(evidence), pinCodes: try own.pinCodes(),
      types: try own.types(isSandbox: settings.isSandbox), blacklist: try own.blacklist(),
      partnerClient: .webhooks(webhooks, database: database))
  }
}

extension App {
  package var oneAssistModule: OneAssistModule { OneAssistModule(oneAssist, serviceClients: serviceClients) }
}

extension UploadDesk {
  /// The page of the second phone, of this flow.
  static func oneAssist(_ service: OneAssistService) -> UploadDesk {
    let phone = service.secondPhone
    return UploadDesk(
      photoMax: OneAssistPolicy.photoMax,
      look: { token, address in
        let view = try await phone.look(token, from: address)
        return View(
          device: "\(view.make) \(view.model)",
          photos: view.photos.map {
            Photo(
              name: $0.name, title: $0.displayName, guide: $0.guide, isMandatory: $0.isMandatory,
              state: $0.state, reason: $0.reason, isOpen: $0.isOpen)
          }, isDone: view.isDone, isAccepted: view.isAccepted, isOver: view.isOver)
      }, take: { try await phone.take($1, $2, by: $0, from: $3) })
  }
}

extension SecondPhone.RequiredView {
  fileprivate var state: UploadDesk.Photo.State {
    switch status {
    case .missing: .missing
    case .uploaded: .uploaded
    case .accepted: .accepted
    case .refused: .refused
    }
  }
}
