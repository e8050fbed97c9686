// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import FinapticFlow
import Foundation
import Kit
import Screening
import Synchronization
import Testing

/// Who is outside: the readers of pictures, the lists, the tenant's server.
final class OnboardingOutside: Sendable {
  struct State {
    var events: [OnboardingEvent] = []
    /// What is found in the lists; nil when they do not answer.
    var hits: [Screening.Hit]? = []
    var liveness = LivenessResult(result: .live)
    var faces = FaceComparisonResult(result: .match)
    /// Whether pictures can be looked at.
    var isAvailable = true
    /// How often each port was asked.
    var comparisons = 0
    var searches = 0
  }

  private let state = Mutex(State())

  var now: State { state.withLock { $0 } }
  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Pictures of documents are readings here: JSON behind the first bytes of a JPEG.
  static let prefix = Data([0xFF, 0xD8, 0xFF, 0xE0])

  var ports: OnboardingPorts {
    var ports = OnboardingPorts()
    ports.identity = IdentityReader(
      read: { picture, _, _ in
        guard self.now.isAvailable else { throw IdentityReader.Unavailable() }
        let json = picture.dropFirst(Self.prefix.count)
        guard let reading = try? JSONDecoder().decode(DocumentReading.self, from: json) else {
          return .init(reading: nil, portrait: nil)
        }
        return .init(reading: reading, portrait: reading.portrait.map { _ in Data("portrait".utf8) })
      },
      liveness: { _ in
        guard self.now.isAvailable else { throw IdentityReader.Unavailable() }
        return self.now.liveness
      },
      compare: { _, _ in
        guard self.now.isAvailable else { throw IdentityReader.Unavailable() }
        self.change { $0.comparisons += 1 }
        return self.now.faces
      })
    ports.screening = ScreeningProvider { _ in
      self.change { $0.searches += 1 }
      guard let hits = self.now.hits else { return .failed(reason: "no list") }
      return .screened(.init(lists: [], threshold: 0.85, hits: hits))
    }
    ports.publisher = EventPublisher { _, event in self.change { $0.events.append(event) } }
    return ports
  }
}
