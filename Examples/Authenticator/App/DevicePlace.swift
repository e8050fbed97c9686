// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import SaltEdgeAuthenticator

/// Where this device is, asked for when a bank wants it with a decision. The user is asked for the permission then.
@MainActor
final class DevicePlace: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private var waiting: [CheckedContinuation<Geolocation?, Never>] = []

  override init() {
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
  }

  /// - Returns: nil when the user does not want to tell it, or the device does not find it.
  func current() async -> Geolocation? {
    await withCheckedContinuation { place in
      waiting.append(place)
      ask()
    }
  }

  private func ask() {
    guard !waiting.isEmpty else { return }
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse, .authorizedAlways: manager.requestLocation()
    default: tell(nil)
    }
  }

  private func tell(_ place: Geolocation?) {
    let asked = waiting
    waiting = []
    for one in asked { one.resume(returning: place) }
  }

  nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    Task { @MainActor in self.ask() }
  }

  nonisolated func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    let found = locations.last?.coordinate
    let place = found.flatMap { Geolocation(latitude: $0.latitude, longitude: $0.longitude) }
    Task { @MainActor in self.tell(place) }
  }

  nonisolated func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    Task { @MainActor in self.tell(nil) }
  }
}
