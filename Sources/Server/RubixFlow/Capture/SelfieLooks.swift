// SPDX-License-Identifier: Apache-2.0

import Evidence
import RubixWire

/// Looks that the three selfies of a session are asked for, where the tenant asks for any.
extension Dossier {
  /// In the order of the selfies; nil where none are asked for.
  var looks: [FaceDirection]? { tenant.asksLooks ? session.map { FaceDirection.order(for: $0.id.rawValue) } : nil }

  /// The selfie that is compared with portraits: the enrolled one, or the one that looks straight.
  var comparedSelfie: SelfieSubType {
    guard let place = looks?.firstIndex(of: .straight) else { return .faceEnrollment }
    return SelfieSubType.known[place]
  }

  /// The selfie that an upload takes the place of. A person who asks for one means the one that is compared, and
  /// released apps send another.
  func meant(by subType: SelfieSubType) -> SelfieSubType {
    application.retake.contains(.selfie) && application.applicant.retakeWords != nil ? comparedSelfie : subType
  }

  /// How the face of a selfie looks; nil where no look is asked for.
  func look(of selfie: SelfieSubType) -> FaceDirection? {
    looks.flatMap { looks in SelfieSubType.known.firstIndex(of: selfie).map { looks[$0] } }
  }
}

extension [FaceDirection] {
  var wire: [SelfieLook] { map { SelfieLook(rawValue: $0.rawValue) } }
}

extension FaceDirection {
  /// One sentence for the capture screen.
  var hint: String {
    switch self {
    case .straight: "Look straight into the camera."
    case .left: "Turn your head to your left."
    case .right: "Turn your head to your right."
    }
  }
}
