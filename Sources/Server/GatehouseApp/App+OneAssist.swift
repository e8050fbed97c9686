// SPDX-License-Identifier: Apache-2.0

import Console
import OneAssistFlow

extension UploadPageService {
  /// The page of the second phone, of this flow.
  static func oneAssist(_ service: OneAssistService) -> UploadPageService {
    let phone = service.secondPhone
    return UploadPageService(
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
      }, admit: { try await phone.admit($1, by: $0, from: $2) },
      take: { try await phone.take($1, $2, by: $0, from: $3) })
  }
}

extension SecondPhone.RequiredView {
  fileprivate var state: UploadPageService.Photo.State {
    switch status {
    case .missing: .missing
    case .uploaded: .uploaded
    case .accepted: .accepted
    case .refused: .refused
    }
  }
}
